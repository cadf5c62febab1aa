#!/usr/bin/env bash
# What no test of `npm test` can do: the package with a real PyTorch. Run it by hand, with the wheel installed or python/ and
# public/capture on PYTHONPATH:
#   bash conformance/python/real.sh
# Then, for live, `python3 programs.py live 8199` here and `npx tsx live_edits.ts ADDRESS` in another terminal.
set -u
cd "$(dirname "$0")" || exit 1
out=$(mktemp -d)
cp fusion.py programs.py test_block.py compared_values.py live_checks.py "$out" && cd "$out" || exit 1
export TORCHINDUCTOR_FORCE_DISABLE_CACHES=1 PYTHONWARNINGS=ignore
failed=0
said() { # said NAME TEXT COMMAND…: the command prints TEXT
  local name=$1 text=$2 began=$SECONDS
  shift 2
  "$@" >log 2>&1
  if grep -qE -- "$text" log; then echo "ok    $name ($((SECONDS - began)) s): $(grep -E -m1 -- "$text" log | sed 's/^ *//')"; else
    failed=1
    echo "FAILS $name: expected $text"
    tail -15 log
  fi
}
# An installed wheel brings its plugin; a second one of its name stops pytest.
plugin=$(python3 -c 'import importlib.metadata as m; m.distribution("fusescope")' 2>/dev/null || echo '-p fusescope.pytest_plugin')
run() { python3 -m fusescope run "$@"; }
said 'block: a near miss with both values' 'is 1e-06 in the pattern, 1e-05 in the graph' run --out a.fusescope programs.py block
said 'block: PyTorch’s own reason' 'PyTorch: constant_args' python3 -m fusescope report a.fusescope
said 'block: what to change' 'try: write 1e-05 for 1e-06 in search .fusion.py:20. and replace' python3 -m fusescope report a.fusescope
said 'block: a report without a server' 'near miss' sh -c 'python3 -m fusescope show a.fusescope --html a.html && cat a.html'
said 'pytest: the failure' 'fired 0 of 2' python3 -m pytest -q $plugin test_block.py
sed -i 's/1e-6/1e-5/g' fusion.py
said 'block: fixed' ' 2 matches' run --out b.fusescope programs.py block
said 'pytest: fixed' '1 passed' python3 -m pytest -q $plugin test_block.py
# A forward graph that keeps a product for the backward one gives it a second user.
said 'dynamic training' 'mul.* has 2 users in the graph, 1 in the pattern' run --out c.fusescope programs.py dynamic
said '200 graphs' '200 graphs, 1 pass, 100 matches' run --out d.fusescope programs.py many
said 'two gloo ranks' '2 ranks agree in every pass' run --children --out e.fusescope programs.py ranks
said 'values' 'values: ok' python3 compared_values.py
said 'checks of live' 'checks: ok' python3 live_checks.py
exit $failed
