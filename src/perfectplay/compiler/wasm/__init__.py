"""Rules and search as WebAssembly: the text that numba compiles for the CPU, for a browser.

`wasm_binary` writes modules; `wasm_functions` translates functions over 64-bit integers, in layers from what is known
(`wasm_values`, `wasm_draft`) over expressions and calls to statements; `wasm_search` puts together the rules of a game
and the search.
"""
