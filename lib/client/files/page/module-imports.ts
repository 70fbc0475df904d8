import { parse } from 'es-module-lexer/js'
import { addressOfPath } from './page-address'

/*
 * A module's imports, and their replacements. JSON becomes a module of code here: a browser loads JSON modules by
 * `connect-src`, which is blocked. So its `with { type: 'json' }` is removed.
 */

export interface ModuleImport {
  /** Undefined: it is computed at run time. */
  readonly specifier: string | undefined
  readonly start: number
  readonly end: number
  /** The replacement text that imports it under another name. */
  readonly under: (name: string) => string
}

/** The module with which code asks the frame (`frame/frame-modules.ts`). */
export const moduleLoaderSource = 'nod.page'
const loader = `globalThis[Symbol.for(${JSON.stringify(moduleLoaderSource)})]`

const scriptEnding = /\.(?:m?js|cjs|jsx|ts|mts)$/i

/** The name of the module at a path. */
export const moduleName = (path: string): string => `nod:${encodeURI(path)}`

/** Appends the name of its file to code. */
export const withSource = (code: string, path: string): string => `${code}\n//# sourceURL=${encodeURI(path)}`

/** A file's content as code; null: it is loaded unchanged. */
export function codeOfModule(path: string, text: string): string | null {
  if (scriptEnding.test(path)) return text
  return /\.json$/i.test(path) ? `export default JSON.parse(${JSON.stringify(text)})` : null
}

/** A module's imports in order; none if the code can't be parsed: the page's console then says why. */
export function importsOf(code: string): readonly ModuleImport[] {
  return read(code).flatMap(({ n: specifier, s: start, e, se, d: dynamic, a: attributes }) => {
    if (dynamic === importMeta) return []
    const isJson = attributes > -1 && /\btype\W+json\b/.test(code.slice(e, se))
    const close = !isJson ? '' : dynamic < 0 ? (code[e] ?? '') : ')'
    return {
      specifier,
      start,
      end: isJson ? se : e,
      // For `import()` the quotes are part of the match.
      under: (name: string) => (dynamic < 0 ? name : JSON.stringify(name)) + close,
    }
  })
}

/**
 * Makes code ask at run time for computed imports and for its location (`import.meta`). Changes neither line numbers
 * nor static imports.
 */
export function viaModuleLoader(code: string, from: string): string {
  const parts: string[] = []
  let at = 0
  for (const { n: specifier, s: start, e, se, d: dynamic, a: attributes } of read(code)) {
    if (dynamic !== importMeta && (dynamic < 0 || specifier !== undefined)) continue
    const isJson = attributes > -1 && /\btype\W+json\b/.test(code.slice(e, se))
    parts.push(
      code.slice(at, start),
      dynamic === importMeta
        ? `${loader}.meta(${JSON.stringify(addressOfPath(from))})`
        : `${loader}.name(${code.slice(start, e)}, ${JSON.stringify(from)})${isJson ? ')' : ''}`,
    )
    at = isJson ? se : e
  }
  return parts.join('') + code.slice(at)
}

/** The parser's marker for `import.meta`, in the field with the start of a dynamic import. */
const importMeta = -2

function read(code: string) {
  if (!code.includes('import')) return []
  try {
    return parse(code)[0]
  } catch {
    return []
  }
}
