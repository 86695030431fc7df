# The moves, on a clean tree; then what no rule finds (by_hand.py).
set -e
python3 bench/house/moves.py bench/house/first.plan
python3 bench/house/moves.py bench/house/house.plan
git show HEAD:src/perfectplay/page/__init__.py > src/perfectplay/exports/page/__init__.py
git rm -qf src/perfectplay/api/__init__.py src/perfectplay/front/__init__.py src/perfectplay/front/commands/__init__.py
find src -name __pycache__ -prune -exec rm -rf {} +
find src -type d -empty -delete
[ ! -e bench/house/by_hand.py ] || python3 bench/house/by_hand.py
.venv/bin/ruff check --fix -q src tests docs bench examples || true
.venv/bin/ruff format -q src tests docs bench examples
