/* The page without the player: light or dark, copying a command, the text of a clicked cell. */
const all = (query, at = document) => [...at.querySelectorAll(query)];

const theme = document.getElementById('theme'), root = document.documentElement;
const dark = () => matchMedia('(prefers-color-scheme: dark)').matches;
theme.hidden = false;
theme.addEventListener('click', () => {
  const now = root.dataset.theme || (dark() ? 'dark' : 'light');
  root.dataset.theme = now === 'dark' ? 'light' : 'dark';
});

/* If a page from a file may not use the clipboard, select the command, to be copied by hand. */
function copied(button, text) {
  const done = () => {
    button.textContent = 'copied';
    setTimeout(() => { button.textContent = 'copy'; }, 1500);
  };
  const mark = () => getSelection().selectAllChildren(text);
  if (navigator.clipboard) navigator.clipboard.writeText(text.textContent).then(done, mark);
  else mark();
}
for (const button of all('dl .copy')) {
  button.hidden = false;
  button.addEventListener('click', () => copied(button, button.previousElementSibling));
}

/* A cell shows its pair below the table; without this script it links to the list of all pairs. */
for (const table of all('.cross')) {
  const around = table.closest('.beats'), tell = around.querySelector('.tell');
  table.addEventListener('click', event => {
    const cell = event.target.closest('td a');
    const pair = cell && document.getElementById(decodeURIComponent(cell.hash.slice(1)));
    if (!pair) return;
    event.preventDefault();
    for (const old of all('[aria-current]', table)) old.removeAttribute('aria-current');
    cell.setAttribute('aria-current', 'true');
    tell.replaceChildren(...[...pair.childNodes].map(node => node.cloneNode(true)));
    tell.hidden = false;
  });
}

/* Close the menu of games when one is chosen. */
for (const menu of all('details.menu')) menu.addEventListener('click', event => { if (event.target.closest('a')) menu.open = false; });
