import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { buildSandboxFiles } from '@/scripts/build-sandbox.mjs'
import { licencesFile, zenfsParts } from '@/scripts/zenfs-licences.mjs'

// The LGPL's requirements for distributing the library behind `fs`: docs/reference/licences.md says how they are met.

const built: Readonly<Record<string, string>> = await buildSandboxFiles()
const served = (name: string) => built[`public/sandbox-libs/${name}`] ?? ''
const lgpl = ['@zenfs/core', '@zenfs/streams', 'memium', 'utilium']

test('the served library begins with the name, version, licence and source of each part', async () => {
  const parts = await zenfsParts()
  const banner = served('zenfs.js').slice(0, served('zenfs.js').indexOf('*/'))
  for (const { name, version, license, source } of parts) {
    expect(banner).toContain(`${name} ${version} (${license}): ${source}`)
  }
  expect(parts.filter(({ license }) => license.startsWith('LGPL')).map(({ name }) => name)).toEqual(lgpl)
  expect(banner).toContain(licencesFile)
})

test('bundles no package that it does not name', async () => {
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

test('all licences are next to it, with the texts of LGPL and GPL', () => {
  const texts = served(licencesFile)
  expect(texts).toContain('GNU LESSER GENERAL PUBLIC LICENSE')
  expect(texts).toContain('15. Disclaimer of Warranty')
  expect(texts.match(/^(?:The )?MIT License/gim)?.length).toBeGreaterThan(2)
  expect(texts).toContain('ieee754')
})

test('it is a separate file: our code loads it by name and contains nothing of it', () => {
  expect(served('node.js')).toMatch(/require\("zenfs\.js"\)/)
  expect(served('node.js')).not.toMatch(/ZenFSContext|withExceptionContext/)
  expect(served('zenfs.js')).toMatch(/ZenFSContext/)
})

test('the page on licences names the served versions', async () => {
  const page = (await readFile('docs/reference/licences.md', 'utf8')).replaceAll(/ +/g, ' ')
  for (const { name, version, license } of await zenfsParts())
    expect(page).toContain(`| ${name} | ${version} | ${license} |`)
})
