"""Rules as machine code: guarded, compiled with loops for the CPU and the GPU, translated to C and WebAssembly."""
