import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import packageJson from '../package.json' with { type: 'json' }
import { readArguments } from './test/arguments.mjs'
import { testFiles } from './test/test-files.mjs'

/*
 * Checks the workflows against this repository: each command exists and names existing files, shards cover the whole,
 * and nothing of `.ci/run` is left out.
 */

interface Step {
  readonly run?: string
  readonly uses?: string
  readonly with?: Readonly<Record<string, string>>
}
type Matrix = Readonly<Record<string, readonly unknown[]>>
interface Job {
  readonly strategy?: { readonly matrix?: Matrix }
  readonly steps: readonly Step[]
}

const folder = '.github/workflows'
const workflows = readdirSync(folder).map((name) => {
  const { jobs } = parse(readFileSync(`${folder}/${name}`, 'utf8')) as { jobs: Readonly<Record<string, Job>> }
  return { name, jobs: Object.entries(jobs) }
})

/** The values of `${{ matrix.key }}`, given as such or by `include`. */
const valuesOf = (matrix: Matrix, key: string): readonly string[] =>
  key in matrix
    ? (matrix[key] ?? []).map(String)
    : (matrix['include'] ?? []).flatMap((row) => (row as Readonly<Record<string, string>>)[key] ?? [])

/** A job's commands as they run, one for each value of its matrix. */
const commandsOf = ({ strategy, steps }: Job): readonly string[] =>
  steps.flatMap(({ run }) => {
    if (run === undefined) return []
    const key = /\$\{\{ matrix\.(\w+) \}\}/.exec(run)?.[1]
    if (key === undefined) return [run]
    return valuesOf(strategy?.matrix ?? {}, key).map((value) => run.replace(/\$\{\{.*?\}\}/, value))
  })

const commands = workflows.flatMap(({ name, jobs }) =>
  jobs.flatMap(([job, steps]) => commandsOf(steps).map((command) => ({ where: `${name}, ${job}`, command }))),
)
const files = await testFiles()

describe('the workflows', () => {
  it('are the two that the docs mention', () => {
    expect(workflows.map(({ name }) => name).toSorted()).toEqual(['ci.yml', 'nightly.yml'])
    expect(commands.length).toBeGreaterThan(10)
  })

  it.each(commands)('$where: $command', ({ command }) => {
    const [, settings = '', called = ''] = /^((?:\w+=\S+ )*)(.*)$/.exec(command) ?? []
    const [npm, ...words] = called.split(' ')
    expect(npm).toBe('npm')
    const script = words[0] === 'run' ? words[1] : words[0]
    expect(Object.keys(packageJson.scripts)).toContain(script)
    const given = words.slice(words.indexOf('--') + 1)
    if (script === 'test' && !['faults', 'release'].includes(given[0] ?? ''))
      expect(readArguments(given, files)).toMatchObject({ ok: true })
    // A setting that nobody reads would pass unnoticed as a longer run.
    for (const name of settings.match(/\w+(?==)/g) ?? []) {
      const read = given.filter((word) => word.endsWith('.ts')).map((file) => readFileSync(file, 'utf8'))
      // The base path, the looks, the browser and the list of journeys are read for all of them at once.
      const support = [
        'e2e/support/addresses.ts',
        'e2e/support/appearances.ts',
        'playwright.config.ts',
        'scripts/setup/browsers.mjs',
      ]
      const all = [...read, ...support.map((file) => readFileSync(file, 'utf8'))].join('\n')
      expect([`process.env['${name}']`, `process.env.${name} `].some((reading) => all.includes(reading))).toBe(true)
    }
  })

  it('split each half into all its parts', () => {
    for (const [file, half] of [
      ['ci.yml', 'unit'],
      ['ci.yml', 'e2e'],
      ['nightly.yml', 'e2e'],
    ] as const) {
      const shards = commands
        .filter(({ where }) => where.startsWith(file))
        .flatMap(({ command }) => new RegExp(`-- ${half} --shard (\\S+)`).exec(command)?.[1] ?? [])
      expect(shards.length).toBeGreaterThan(1)
      expect(shards).toEqual(shards.map((_, index) => `${index + 1}/${shards.length}`))
    }
  })

  it('run what .ci/run does: the check, and both halves of the tests', () => {
    const here = readFileSync('.ci/run', 'utf8')
    expect(here).toMatch(/npm run (?:--silent )?check/)
    expect(here).toMatch(/^npm test/m)
    const there = new Set(
      commands
        .filter(({ where }) => where.startsWith('ci.yml'))
        .map(({ command }) => command.replace(/ --shard .*/, '')),
    )
    expect([...there].toSorted()).toEqual(['npm run check', 'npm test -- e2e', 'npm test -- unit'])
  })

  it('use the Node with which the commands themselves run', () => {
    const setups = workflows.flatMap(({ jobs }) =>
      jobs.map(([, { steps }]) => steps.find(({ uses }) => uses?.startsWith('actions/setup-node@'))?.with),
    )
    for (const setup of setups) expect(setup).toMatchObject({ 'node-version-file': '.nvmrc' })
    expect(readFileSync('.nvmrc', 'utf8').trim()).toBe(packageJson.devDependencies.node)
  })
})

describe('the forms for issues', () => {
  it.each(readdirSync('.github/ISSUE_TEMPLATE'))('%s can be read', (name) => {
    const form = parse(readFileSync(`.github/ISSUE_TEMPLATE/${name}`, 'utf8')) as Readonly<Record<string, unknown>>
    if (name === 'config.yml') expect(form['contact_links']).toHaveLength(1)
    else
      expect(form).toMatchObject({ name: expect.any(String), description: expect.any(String), body: expect.any(Array) })
  })
})

describe('the version', () => {
  it('is the same in the package, its lockfile and the newest section of the changelog', () => {
    const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
      version: string
      packages: Readonly<Record<string, { version: string }>>
    }
    const newest = /^## \[(\S+)\]/m.exec(readFileSync('CHANGELOG.md', 'utf8'))?.[1]
    expect([lock.version, lock.packages['']?.version, newest]).toEqual(
      Array.from({ length: 3 }, () => packageJson.version),
    )
  })
})
