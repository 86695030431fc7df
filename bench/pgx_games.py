"""Random games of connect four in pgx, which bench/batches.py runs beside ours: prints steps per second as JSON.

python bench/pgx_games.py

A step includes a random legal action, the rules, legal actions, rewards and the reset of finished games; the
observation where that is said. All steps are one compiled loop (jit, scan and vmap). Each row is the best of several
batch sizes and of two random number generators.
"""

import json
import time

import jax
import jax.numpy as jnp
import pgx
from pgx.experimental import auto_reset

ON_GPU = jax.devices()[0].platform != "cpu"
SIZES = (1 << 16, 1 << 18, 1 << 20) if ON_GPU else (1 << 10, 1 << 12, 1 << 14, 1 << 16)
GENERATORS = ("threefry2x32", "unsafe_rbg")
STEPS = 200_000_000 if ON_GPU else 1_000_000
RUNS = 3
env = pgx.make("connect_four")


def compiled(n, steps, observed):
    """So many steps of n games as one compiled function, and the state to call it with."""
    step = jax.vmap(auto_reset(env.step, env.init))

    def ply(carry, _):
        state, key = carry
        key, drawing, resetting = jax.random.split(key, 3)
        numbers = jax.random.bits(drawing, (n, 7), jnp.uint32) >> 1
        action = jnp.argmax(jnp.where(state.legal_action_mask, numbers.astype(jnp.int32), -1), axis=1)
        state = step(state, action, jax.random.split(resetting, n))
        if not observed:  # what nobody reads is not computed
            state = state.replace(observation=jnp.zeros_like(state.observation))
        return (state, key), state.terminated.sum()

    start = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(0), n))
    return jax.jit(lambda carry: jax.lax.scan(ply, carry, None, length=steps)), (start, jax.random.PRNGKey(1))


def rate(n, observed):
    """Steps per second of n games, the best of some runs."""
    steps = max(2, STEPS // n)
    run, carry = compiled(n, steps, observed)
    best = float("inf")
    for _ in range(RUNS + 1):  # the first compiles
        begin = time.perf_counter()
        carry, ended = jax.block_until_ready(run(carry))
        best = min(best, time.perf_counter() - begin)
    assert int(ended.sum()) > 0 or steps < 42
    return n * steps / best


def main():
    """Measures and prints."""
    found = {}
    for observed in (True, False):
        rows = []
        for generator in GENERATORS:
            jax.config.update("jax_default_prng_impl", generator)
            rows += [(rate(n, observed), n, generator) for n in SIZES]
        best, n, generator = max(rows)
        found["observed" if observed else "plain"] = {"rate": best, "n": n, "generator": generator}
    print(json.dumps({**found, "pgx": pgx.__version__, "jax": jax.__version__, "device": str(jax.devices()[0])}))


if __name__ == "__main__":
    main()
