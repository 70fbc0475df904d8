// A package's notice, from its own files, or from docs/licences if it has none.
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { wheels } from '../pyodide-files.mjs'
import { inRoot } from '../setup/paths.mjs'

/**
 * @typedef {object} Notice
 * @property {string} name
 * @property {string} version
 * @property {string} licence as the package names it, `MIT`
 * @property {string | null} source where the source is
 * @property {string[]} servedIn
 * @property {string} text the licence with its copyright, or several
 */

const kept = (name) => readFile(inRoot('docs/licences', name), 'utf8')

/**
 * Texts missing in a package's own files: Pyodide's contain no licence text, and like wllama's and Mermaid's none of
 * their parts'; the LGPL refers to the GPL.
 */
const besides = async (name, licence, texts) => {
  if (name === 'pyodide') return [await kept('MPL-2.0.txt'), await kept('Python.txt'), await kept('Pyodide-parts.txt')]
  if (name === 'mermaid') return [await kept('Mermaid-parts.txt'), await kept('Apache-2.0.txt')]
  if (name === '@wllama/wllama') return [await kept('Llama.cpp.txt')]
  // Some contain only its last lines, or nothing; a distributor must include the whole text.
  if (licence === 'Apache-2.0' && !texts.some((text) => text.includes('TERMS AND CONDITIONS')))
    return [await kept('Apache-2.0.txt')]
  return licence.startsWith('LGPL') ? [await kept('GPL-3.0.txt')] : []
}

/** The licence's own name, if its package does not say. */
const namedIn = (texts) => (texts.some((text) => /^\s*(?:The )?MIT License/i.test(text)) ? 'MIT' : undefined)

const sourceOf = (repository) => {
  const url = typeof repository === 'string' ? repository : repository?.url
  if (url === undefined) return null
  if (/^(?:github:)?[\w.-]+\/[\w.-]+$/.test(url)) return `https://github.com/${url.replace('github:', '')}`
  return url.replace(/^(?:git(?:\+https|\+ssh)?|http):\/\/(?:git@)?/, 'https://').replace(/\.git$/, '')
}

const readJson = async (file) => JSON.parse(await readFile(file, 'utf8').catch(() => '{}'))

/**
 * @param {string} folder from the project's root
 * @param {Iterable<string>} servedIn
 * @returns {Promise<Notice | null>} null for what Next brings along under its own licence
 */
export async function noticeOf(folder, servedIn) {
  const [bringer, compiled] = folder.split('/dist/compiled/')
  const own = await readJson(inRoot(folder, 'package.json'))
  const outer = compiled === undefined ? own : await readJson(inRoot(bringer, 'package.json'))
  const name = compiled ?? outer.name
  const names = (await readdir(inRoot(folder))).filter((each) => /^(?:licen[cs]e|copying|notice|ofl)/i.test(each))
  const texts = await Promise.all(names.toSorted().map((each) => readFile(path.join(inRoot(folder), each), 'utf8')))
  if (compiled !== undefined && texts.length === 0) return null
  const licence = String(own.license ?? outer.license ?? namedIn(texts))
  texts.push(...(await besides(name, licence, texts)))
  if (texts.length === 0 && licence === 'MIT' && own.author) {
    const author = typeof own.author === 'string' ? own.author : own.author.name
    texts.push(
      `MIT License\n\nCopyright (c) ${author.replace(/ [<(].*/, '')} and contributors\n\n${await kept('MIT.txt')}`,
    )
  }
  if (texts.length === 0) throw new Error(`${name} is served and brings no licence: put its text into docs/licences`)
  return {
    name,
    version: compiled === undefined ? own.version : `in ${outer.name} ${outer.version}`,
    licence,
    source: sourceOf(own.repository ?? outer.repository),
    servedIn: [...servedIn].toSorted(),
    text: texts.map((text) => text.trim()).join(`\n\n${'='.repeat(78)}\n\n`),
  }
}

/** Those of the Python packages that Nod ships, whose licences are beside their wheels. */
export const wheelNotices = () =>
  wheels.map(async ({ name, version, licence, source, sha256 }) => ({
    name: `${name} (Python)`,
    version,
    licence,
    source,
    servedIn: [`/sandbox-libs/wheel-${sha256}.whl`],
    text: (await readFile(inRoot('lib/sandbox/wheels', `${name}.licence.txt`), 'utf8')).trim(),
  }))
