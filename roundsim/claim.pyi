from .claiming.measures import counters as counters
from .claiming.measures import forced as forced
from .claiming.measures import gives as gives
from .claiming.measures import left as left
from .claiming.measures import length as length
from .claiming.measures import net as net
from .claiming.measures import net_when as net_when
from .claiming.measures import paid as paid
from .claiming.measures import place as place
from .claiming.measures import said as said
from .claiming.measures import subject as subject
from .replaying.played import PlayedDeal as PlayedDeal

__all__: list[str]
