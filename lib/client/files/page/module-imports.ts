import { parse } from 'es-module-lexer/js'
import { addressOfPath } from './page-address'

/*
 * What a module imports, and what may be there instead. JSON is a module of code here: a browser loads the other kind by
 * `connect-src`, which leads nowhere. So its `with { type: 'json' }` goes.
 */

export interface ModuleImport {
  /** Undefined: it is made up as the code runs. */
  readonly specifier: string | undefined
  readonly start: number
  readonly end: number
  /** What is there when it is imported under another name. */
  readonly under: (name: string) => string
}

/** Where code finds what the frame answers it with (`frame/frame-modules.ts`). */
export const moduleLoaderSource = 'nod.page'
const door = `globalThis[Symbol.for(${JSON.stringify(moduleLoaderSource)})]`

const scriptEnding = /\.(?:m?js|cjs|jsx|ts|mts)$/i

/** The name of the module at a path. */
export const moduleName = (path: string): string => `nod:${encodeURI(path)}`

/** Code that knows its file. */
export const withSource = (code: string, path: string): string => `${code}\n//# sourceURL=${encodeURI(path)}`

/** What a file is as code; null: it is loaded as it is. */
export function codeOfModule(path: string, text: string): string | null {
  if (scriptEnding.test(path)) return text
  return /\.json$/i.test(path) ? `export default JSON.parse(${JSON.stringify(text)})` : null
}

/** The imports of a module in their order; none where the code can't be read: the page's console then says why. */
export function importsOf(code: string): readonly ModuleImport[] {
  return read(code).flatMap(({ n: specifier, s: start, e, se, d: dynamic, a: attributes }) => {
    if (dynamic === importMeta) return []
    const isJson = attributes > -1 && /\btype\W+json\b/.test(code.slice(e, se))
    const close = !isJson ? '' : dynamic < 0 ? (code[e] ?? '') : ')'
    return {
      specifier,
      start,
      end: isJson ? se : e,
      // Of `import()` the quotes are part of what is found.
      under: (name: string) => (dynamic < 0 ? name : JSON.stringify(name)) + close,
    }
  })
}

/**
 * Lets code ask, as it runs, what an import means that it makes up, and where it lies (`import.meta`). Changes neither lines nor the
 * imports that are written out.
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
        ? `${door}.meta(${JSON.stringify(addressOfPath(from))})`
        : `${door}.name(${code.slice(start, e)}, ${JSON.stringify(from)})${isJson ? ')' : ''}`,
    )
    at = isJson ? se : e
  }
  return parts.join('') + code.slice(at)
}

/** What the reader of modules says of `import.meta` where it says where a dynamic import begins. */
const importMeta = -2

function read(code: string) {
  if (!code.includes('import')) return []
  try {
    return parse(code)[0]
  } catch {
    return []
  }
}
