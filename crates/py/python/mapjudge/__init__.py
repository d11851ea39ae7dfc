"""Judges maps and trajectories made by mobile robots.

>>> import mapjudge as mj, numpy as np
>>> truth = np.full((20, 30), 254, np.uint8)
>>> truth[5, :] = 0
>>> report = mj.score(truth, truth, resolution=0.05, metrics=["cells"])
>>> report["overall_error"].value
0.0
"""

from typing import TYPE_CHECKING as _TYPE_CHECKING

# What each module lists in its `__all__` is public here; the list is not repeated.
from . import _core as _core
from . import arena as arena
from . import relations as relations
from . import testing as testing
from ._cards import *
from ._commands import *
from ._errors import *
from ._files import *
from ._help import tell_keywords as _tell_keywords
from ._layers import *
from ._logs import *
from ._mapper import *
from ._maps import *
from ._program import start_again_by as _start_again_by
from ._records import *
from ._report import *
from ._results import *
from ._runs import *
from ._score import *
from ._trajectories import *
from ._words import no_name as _no_name

__version__: str = _core.__version__
_core.start_again_by(_start_again_by())
_tell_keywords(globals())
_tell_keywords(vars(arena), "arena")
_tell_keywords(vars(relations), "relations")

if not _TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        # Hidden from checkers of types: they would take every name.
        raise _no_name(name, [known for known in globals() if known[:1] != "_"])
