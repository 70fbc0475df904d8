/** The text of a Python file, inserted by scripts/build-sandbox.mjs. */
declare module '*.py' {
  const source: string
  export default source
}
