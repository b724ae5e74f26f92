
/* As light or dark as the page around, if the browser lets this page look at it. */
try {
  const {body} = parent.document, follow = () => { document.documentElement.dataset.theme = body.dataset.theme; };
  new MutationObserver(follow).observe(body, {attributeFilter: ['data-theme']});
  follow();
} catch { /* both are files */ }
