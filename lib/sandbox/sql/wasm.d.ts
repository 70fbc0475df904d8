/** As esbuild bundles it: its bytes. */
declare module '*.wasm' {
  const bytes: Uint8Array<ArrayBuffer>
  export default bytes
}
