#!/usr/bin/env bash
# Types, tests and the built wheel, in environments of their own. Needs Python 3.10 or newer, a package index and a built turnout.
#   clients/python/check.sh [python…]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
[ $# -gt 0 ] || set -- python3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$1" -m venv "$work/tools"
"$work/tools/bin/pip" install -q build mypy pyright
(cd "$work" && export PYRIGHT_PYTHON_IGNORE_WARNINGS=1 && "$work/tools/bin/mypy" --config-file "$OLDPWD/pyproject.toml" "$OLDPWD/src")
"$work/tools/bin/pyright" -p . --pythonpath "$work/tools/bin/python"
"$work/tools/bin/python" -m build -q --outdir "$work/dist" . >/dev/null

# The wheel alone, in an empty environment: the tests import it, and nothing of src/.
for python in "$@"; do
  "$python" -m venv "$work/empty"
  "$work/empty/bin/pip" install -q "$work"/dist/*.whl
  "$work/empty/bin/python" -W error::ResourceWarning -m unittest
  rm -rf "$work/empty"
done
