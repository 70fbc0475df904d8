/** A package that code may import by its name: the asset that holds it, and its name among that asset's exports. */
interface Library {
  readonly asset: string
  readonly member: string
}

export const libraries: Readonly<Record<string, Library>> = {
  papaparse: { asset: 'papaparse.js', member: 'papaparse' },
  'simple-statistics': { asset: 'simple-statistics.js', member: 'simpleStatistics' },
  'date-fns': { asset: 'date-fns.js', member: 'dateFns' },
  vega: { asset: 'vega.js', member: 'vega' },
  'vega-lite': { asset: 'vega.js', member: 'vegaLite' },
}

/*
 * Whether code may want files, or anything else of Node's: then a run begins with them, which takes a moment. Meant wide; what
 * names things only at run time still has to name `globalThis`, `require` and the like. Texts in quotes speak of nothing, and
 * the packages that are here know no files.
 */

/** A text in quotes that speaks of imports imports nothing. */
export const withoutTexts = (code: string): string => code.replace(/"(?:[^"\\\n]|\\.)*"/g, '""')

const words =
  /\b(?:fs|require|import|process|Buffer|setTimeout|setInterval|setImmediate|__dirname|__filename|global|globalThis|self|eval|Function|constructor|node:\w+)\b/

const names = Object.keys(libraries).join('|')
const ofLibraries = new RegExp(
  `\\bimport\\b[^'";()]*(['"])(?:${names})\\1|\\bimport\\s*\\(\\s*(['"])(?:${names})\\2\\s*\\)`,
  'g',
)

export const mentionsFiles = (code: string): boolean => words.test(withoutTexts(code.replace(ofLibraries, '')))
