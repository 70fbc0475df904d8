import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { buildSandboxFiles } from '@/scripts/build-sandbox.mjs'
import { licencesFile, zenfsParts } from '@/scripts/zenfs-licences.mjs'

// What the LGPL asks of who hands on the library behind `fs`: docs/reference/licences.md says how it is met.

const built: Readonly<Record<string, string>> = await buildSandboxFiles()
const served = (name: string) => built[`public/sandbox-libs/${name}`] ?? ''
const lgpl = ['@zenfs/core', '@zenfs/streams', 'memium', 'utilium']

test('the served library begins with every part of it: name, version, licence, and where its source is', async () => {
  const parts = await zenfsParts()
  const banner = served('zenfs.js').slice(0, served('zenfs.js').indexOf('*/'))
  for (const { name, version, license, source } of parts) {
    expect(banner).toContain(`${name} ${version} (${license}): ${source}`)
  }
  expect(parts.filter(({ license }) => license.startsWith('LGPL')).map(({ name }) => name)).toEqual(lgpl)
  expect(banner).toContain(licencesFile)
})

test('no package is bundled into it that is not named', async () => {
  const { metafile } = await (
    await import('esbuild')
  ).build({
    entryPoints: ['lib/sandbox/frame/node/zenfs.ts'],
    bundle: true,
    write: false,
    metafile: true,
    platform: 'browser',
    logLevel: 'error',
  })
  const names = Object.keys(metafile.inputs).flatMap(
    (file) => /node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*node_modules)/.exec(file)?.[1] ?? [],
  )
  const named = (await zenfsParts()).map(({ name }) => name)
  expect([...new Set(names)].toSorted()).toEqual(named.toSorted())
})

test('all licences lie beside it, with the texts of LGPL and GPL', () => {
  const texts = served(licencesFile)
  expect(texts).toContain('GNU LESSER GENERAL PUBLIC LICENSE')
  expect(texts).toContain('15. Disclaimer of Warranty')
  expect(texts.match(/^(?:The )?MIT License/gim)?.length).toBeGreaterThan(2)
  expect(texts).toContain('ieee754')
})

test('it is in a file of its own: ours takes it by name, and holds nothing of it', () => {
  expect(served('node.js')).toMatch(/require\("zenfs\.js"\)/)
  expect(served('node.js')).not.toMatch(/ZenFSContext|withExceptionContext/)
  expect(served('zenfs.js')).toMatch(/ZenFSContext/)
})

test('the page on licences names the versions that are served', async () => {
  const page = (await readFile('docs/reference/licences.md', 'utf8')).replaceAll(/ +/g, ' ')
  for (const { name, version, license } of await zenfsParts())
    expect(page).toContain(`| ${name} | ${version} | ${license} |`)
})
