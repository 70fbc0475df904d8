/** llama.cpp as WebAssembly, beside its worker; the name carries the version of its package, so that browsers keep it for good. */
export const wllamaWasm = 'wllama-3.8.1.wasm'
