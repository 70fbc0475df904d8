import { readFileSync } from 'node:fs'
import path from 'node:path'
import { globSync } from 'tinyglobby'
import { formatted } from '../setup/formatted.mjs'
import { describe, expect, it } from 'vitest'
import { isSecret, type Setting } from '@/lib/server/settings/setting'
import { commandVariables, settingsTable } from '@/lib/server/settings/settings-table'
import { settingsFile, withSettings } from './settings-page'
import { vendorKinds, vendors } from '@/lib/shared/models/vendors'

const root = path.resolve(import.meta.dirname, '../..')
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8')
const rows: readonly (readonly [string, Setting])[] = Object.entries(settingsTable)
const names = new Set(rows.flatMap(([name, setting]) => (isSecret(setting) ? [name, `${name}_FILE`] : [name])))

/** Files that read the environment besides `lib/server/wiring/settings.server.ts`. The list may only get shorter. */
const readers: Readonly<Record<string, string>> = {
  'instrumentation.ts': 'which of Next’s runtimes this is',
  'lib/base/base-path.ts': 'where it stands on its host, put in when it is made',
  'lib/server/wiring/process/build.server.ts': 'the name of the build, put in when it is made',
  'lib/server/wiring/process/backup-main.server.ts': 'hands it to settingsFrom',
  'lib/server/wiring/accounts/accounts-main.server.ts': 'hands it to settingsFrom',
  'lib/server/wiring/process/python-add-main.server.ts': 'hands it to settingsFrom',
  'lib/server/wiring/process/serve-app.server.ts': 'leaves Next its configuration there',
  'lib/server/wiring/server.ts': 'hands it to settingsFrom',
  'lib/server/wiring/process/hosts.server.ts':
    'what programs of tool servers get: PATH, HOME and what the config names',
  'lib/server/wiring/process/workers.server.ts': 'the place that the supervisor gave this process',
  'next.config.ts': 'the name of the build and where it stands, put in when it is made',
  'proxy.ts': 'whether this is development',
}

describe('the settings', () => {
  it(`match ${settingsFile}; otherwise run \`npm run generate -- settings --write\``, async () => {
    const file = path.join(root, settingsFile)
    const text = readFileSync(file, 'utf8')
    expect(await formatted(file, withSettings(text))).toBe(text)
  })

  it('are read from the environment in one place', () => {
    const files = globSync(['{app,components,lib}/**/*.{ts,tsx}', '*.ts'], { cwd: root }).filter(
      (file) => !/\.test\.tsx?$|\/testing\/|\/fixtures\/|(?:vitest|playwright)\.config/.test(file),
    )
    expect(files.length).toBeGreaterThan(500)
    const found = files.filter((file) => /process\.env\b/.test(read(file))).toSorted()
    expect(found).toEqual([...Object.keys(readers), 'lib/server/wiring/settings.server.ts'].toSorted())
  })

  it('include every variable with this prefix in the sources and the docs', () => {
    const files = globSync(
      ['{app,components,lib,scripts,e2e}/**/*.{ts,tsx,mjs}', '*.ts', 'README.md', 'docs/**/*.md'],
      { cwd: root },
    )
    const spoken = new Set(
      files
        // The example of a new provider has variables that do not exist yet.
        .filter((file) => !file.endsWith('.test.ts') && file !== 'docs/internals/add-a-provider.md')
        .flatMap((file) => read(file).match(/\bNOD_[A-Z0-9_]+[A-Z0-9]\b/g) ?? []),
    )
    expect(spoken.size).toBeGreaterThan(30)
    // Variables in `deploy/Caddyfile` are the proxy's; `${NOD_OWNER}` is replaced in nod.config.json.
    const wholes = [...names, ...commandVariables, 'NOD_DOMAIN', 'NOD_NODES', 'NOD_OWNER']
    // `NOD_OPENAI_COMPATIBLE_*` means all with this prefix.
    const isKnown = (name: string) => wholes.some((whole) => whole === name || whole.startsWith(`${name}_`))
    expect([...spoken].filter((name) => !isKnown(name))).toEqual([])
  })

  it('include the key and the models of every vendor', () => {
    for (const kind of vendorKinds) {
      const { modelsEnv, keyEnv } = vendors[kind]
      expect([names.has(keyEnv), names.has(modelsEnv)]).toEqual([true, true])
    }
  })
})
