// The parts of public/sandbox-libs/zenfs.js and their licences, from the packages' own files: a comment at its start,
// which no minifier removes, and the texts of all licences beside it. The page about it is docs/reference/licences.md.
import { readFile } from 'node:fs/promises'
import path from 'node:path'

const root = path.resolve(import.meta.dirname, '..')

/** The four under the LGPL first. */
export const zenfsPackages = [
  '@zenfs/core',
  '@zenfs/streams',
  'memium',
  'utilium',
  'kerium',
  'buffer',
  'base64-js',
  'ieee754',
  'eventemitter3',
]

export const licencesFile = 'zenfs-licences.txt'

const fileOf = (name, file) => path.join(root, 'node_modules', name, file)

/** @returns {Promise<{ name: string, version: string, license: string, source: string }[]>} `source`: where this very version's lies */
export async function zenfsParts() {
  return Promise.all(
    zenfsPackages.map(async (name) => {
      const { version, license, repository } = JSON.parse(await readFile(fileOf(name, 'package.json'), 'utf8'))
      const source = repository.url.replace(/^git(?:\+https)?:\/\//, 'https://').replace(/\.git$/, '')
      const archive = `https://registry.npmjs.org/${name}/-/${name.replace(/^.*\//, '')}-${version}.tgz`
      return { name, version, license, source: `${source}/tree/v${version} and ${archive}` }
    }),
  )
}

/** The comment at the start of zenfs.js. */
export async function zenfsBanner() {
  const lines = (await zenfsParts()).map(
    ({ name, version, license, source }) => ` * ${name} ${version} (${license}): ${source}`,
  )
  return [
    '/*!',
    ' * The library behind `fs` in sandboxed code, bundled and minified, otherwise unchanged, by scripts/build-sandbox.mjs from',
    ' * lib/sandbox/frame/node/zenfs.ts. @zenfs/core, @zenfs/streams, memium and utilium: copyright James Prevett and other',
    ' * contributors; they are covered by the GNU Lesser General Public License, version 3 or later. You may change this file, put',
    ' * another version of it in its place, and take it apart to find faults in your changes.',
    ...lines,
    ` * All licences, with the GNU GPL and LGPL: ${licencesFile}, beside this file.`,
    ' */',
  ].join('\n')
}

/** The texts of all licences, for the file beside zenfs.js. */
export async function zenfsLicences() {
  const texts = await Promise.all(
    (await zenfsParts()).map(async ({ name, version, license, source }) => {
      const own = ['LICENSE.md', 'LICENSE', 'COPYING.md']
      const found = await Promise.all(own.map((file) => readFile(fileOf(name, file), 'utf8').catch(() => '')))
      const text = found.filter((each) => each !== '').join('\n\n')
      return `${name} ${version}, ${license}\n${source}\n\n${text.trim()}`
    }),
  )
  const gpl = await readFile(path.join(root, 'docs/licences/GPL-3.0.txt'), 'utf8')
  const line = `\n\n${'='.repeat(78)}\n\n`
  return `${[...texts, gpl.trim()].join(line)}\n`
}
