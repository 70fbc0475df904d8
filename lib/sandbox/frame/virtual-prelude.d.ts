/** The bundled text of prelude.ts, inserted by scripts/build-sandbox.mjs. */
declare module 'virtual:prelude' {
  const source: string
  export default source
}
