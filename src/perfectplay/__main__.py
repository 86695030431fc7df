"""`python -m perfectplay` is the program `perfectplay`."""

import sys

from perfectplay.front.cli import main

sys.exit(main())
