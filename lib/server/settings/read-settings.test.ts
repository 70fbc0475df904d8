import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readSettings, durationText } from './read-settings'
import { isSecret, type Setting } from './setting'
import { settingsTable } from './settings-table'

const rows: readonly (readonly [string, Setting])[] = Object.entries(settingsTable)
const files: Readonly<Record<string, string>> = {
  '/run/secrets/key': `${'k'.repeat(40)}\n`,
  '/run/secrets/two': 'the older one\nthe oldest one\n',
  '/run/secrets/empty': '\n',
}
const readFile = (file: string): string => {
  const text = files[file]
  if (text === undefined) throw Object.assign(new Error(`ENOENT: no such file, open '${file}'`), { code: 'ENOENT' })
  return text
}
const read = (env: Readonly<Record<string, string>>) => readSettings(env, readFile)
const mistakesOf = (env: Readonly<Record<string, string>>) => read(env).mistakes

const hosts: Readonly<Record<string, readonly string[]>> = {
  NOD_MODEL_HOSTS: ['https://huggingface.co', 'https://*.huggingface.co', 'https://*.hf.co'],
  NOD_BROWSER_MODELS: ['https:', 'http://localhost:*', 'http://127.0.0.1:*', 'http://[::1]:*'],
  NOD_MCP_HOSTS: ['https:', 'http://localhost:*', 'http://127.0.0.1:*', 'http://[::1]:*'],
  NOD_READ_HOSTS: [],
}

describe('the variables', () => {
  it('have their defaults if they are unset or blank', () => {
    const empty = Object.fromEntries(rows.map(([name]) => [name, '']))
    for (const env of [{}, empty]) {
      const { settings, mistakes, warnings } = read(env)
      expect([mistakes, warnings]).toEqual([[], []])
      for (const [name, setting] of rows) {
        const isMany = setting.kind === 'list' || setting.kind === 'secrets'
        const wanted = isMany
          ? []
          : setting.kind === 'hosts'
            ? hosts[name]
            : 'default' in setting
              ? setting.default
              : null
        expect([name, settings[name as keyof typeof settings]]).toEqual([name, wanted])
      }
    }
  })

  it('are accepted within their bounds and refused one beyond, for every number', () => {
    for (const [name, setting] of rows) {
      if (setting.kind !== 'number' && setting.kind !== 'duration') continue
      for (const right of [setting.least, setting.most]) expect(mistakesOf({ [name]: String(right) })).toEqual([])
      const wrong = [`${setting.most + 1}`, '-1', 'abc', '1e3', '0x10', '5 5', 'Infinity', 'NaN', '1,5']
      for (const value of setting.least > 0 ? [...wrong, '0'] : wrong) {
        const [mistake, ...more] = mistakesOf({ [name]: value })
        expect(more).toEqual([])
        expect(mistake).toContain(`${name} is “${value}”. It must be`)
        const bounds =
          setting.kind === 'number' ? [setting.least, setting.most] : [setting.least, setting.most].map(durationText)
        expect(mistake).toContain(`from ${bounds[0]} to ${bounds[1]}`)
      }
      if (setting.kind === 'number')
        expect(mistakesOf({ [name]: String(setting.least + 0.5) })).toHaveLength(setting.decimals ? 0 : 1)
    }
  })

  it('accept durations in milliseconds or with a unit', () => {
    const stall = (text: string) => read({ NOD_STALL_MS: text }).settings.NOD_STALL_MS
    expect(['30000', '30000ms', '30s', '1.5 m', '2h', '1d'].map(stall)).toEqual([
      30_000, 30_000, 30_000, 90_000, 7_200_000, 86_400_000,
    ])
    fc.assert(fc.property(fc.integer({ min: 1000, max: 86_400_000 }), (ms) => stall(durationText(ms)) === ms))
  })

  it('accept switches in every usual form, and no other', () => {
    const looks = (text: string) => read({ NOD_OLLAMA: text }).settings.NOD_OLLAMA
    expect(['1', 'true', 'ON', 'yes', ''].map(looks)).toEqual([true, true, true, true, true])
    expect(['0', 'false', 'Off', 'no'].map(looks)).toEqual([false, false, false, false])
    for (const wrong of ['2', 'maybe', 'constructor']) expect(mistakesOf({ NOD_OLLAMA: wrong })).toHaveLength(1)
  })

  it('accept proxies as a number or as networks, and name the invalid part', () => {
    const proxies = (text: string) => read({ NOD_TRUST_PROXY: text }).settings.NOD_TRUST_PROXY
    expect(['1', '16', 'on', '0', 'off', ''].map(proxies)).toEqual([1, 16, 1, 0, 0, 0])
    expect(proxies('Loopback, 10.0.0.0/8,fd00::/8,, 192.0.2.7')).toEqual(
      '127.0.0.0/8 ::1/128 10.0.0.0/8 fd00::/8 192.0.2.7'.split(' '),
    )
    for (const [text, part] of [
      ['maybe', 'maybe'],
      ['constructor', 'constructor'],
      ['10.0.0.0/33', '10.0.0.0/33'],
      ['loopback, 10.0.0', '10.0.0'],
      ['10.0.0.0/8, 2', '2'],
      ['fd00::/129', 'fd00::/129'],
      ['-1', '-1'],
      ['17', '17'],
      ['10.0.0.0/8/8', '10.0.0.0/8/8'],
      [',', ','],
    ] as const) {
      expect(mistakesOf({ NOD_TRUST_PROXY: text })).toEqual([expect.stringContaining(`NOD_TRUST_PROXY is “${part}”.`)])
    }
  })

  it('accept a number of processes, or that the server counts its cores', () => {
    const workers = (text: string) => read({ NOD_WORKERS: text }).settings.NOD_WORKERS
    expect(['', '1', '8', 'auto'].map(workers)).toEqual([1, 1, 8, 0])
    for (const wrong of ['0', 'all', '257', '1.5']) {
      expect(mistakesOf({ NOD_WORKERS: wrong })).toEqual([expect.stringMatching(/ from 1 to 256, or auto\.$/)])
    }
    expect(mistakesOf({ NOD_MAX_RUNS: 'auto' })).toHaveLength(1)
  })

  it('are reported all at once if they are wrong, each by its name', () => {
    const mistakes = mistakesOf({ PORT: 'x', NOD_MAX_RUNS: '0', NOD_ACCESS_TOKEN: 'short', DATABASE_URL: 'mysql://x' })
    for (const name of ['PORT', 'NOD_MAX_RUNS', 'NOD_ACCESS_TOKEN', 'DATABASE_URL', 'NOD_SECRET']) {
      expect(mistakes.filter((mistake) => mistake.startsWith(`${name} `))).toHaveLength(1)
    }
    expect(mistakes).toHaveLength(5)
  })

  it('never show the value of a secret or a URL', () => {
    const hidden = 'hunter2-hunter2'
    for (const [name, setting] of rows) {
      if (!isSecret(setting) && setting.kind !== 'url') continue
      for (const value of [hidden, `mysql://u:${hidden}@x`, ` ${hidden} `]) {
        expect(mistakesOf({ [name]: value, [`${name}_FILE`]: '/no/file' }).join(' ')).not.toContain('hunter2')
        expect(mistakesOf({ [name]: value }).join(' ')).not.toContain('hunter2')
      }
    }
  })

  it('that are unknown are reported with the nearest name', () => {
    expect(
      read({ NOD_MAX_RUN: '5', NOD_SECRETS: 'x', NOD_QQQQQQQQQQ: '1', PATH: '/bin', NOD_E2E_WORKERS: '2' }).warnings,
    ).toEqual([
      'NOD_MAX_RUN is not a setting of Nod and is ignored. Did you mean NOD_MAX_RUNS?',
      'NOD_QQQQQQQQQQ is not a setting of Nod and is ignored.',
      'NOD_SECRETS is not a setting of Nod and is ignored. Did you mean NOD_SECRET?',
    ])
  })
})

describe('a secret', () => {
  const secrets = rows.filter(([, setting]) => isSecret(setting))

  it('may be in a file, for every secret; a trailing newline is ignored', () => {
    expect(secrets.length).toBeGreaterThan(6)
    for (const [name, setting] of secrets) {
      const text = setting.kind === 'url' ? 'postgres://u:p@db/nod' : 'k'.repeat(40)
      for (const end of ['', '\n', '\r\n']) {
        const given = { [`${name}_FILE`]: '/f', ...(setting.kind === 'url' && { NOD_SECRET: 'x'.repeat(32) }) }
        const { settings, env, mistakes } = readSettings(given, () => text + end)
        expect(mistakes).toEqual([])
        expect(env[name]).toBe(text)
        expect(settings[name as keyof typeof settings]).toEqual(setting.kind === 'secrets' ? [text] : text)
      }
    }
  })

  it('is refused if it is set twice, or its file is missing or empty', () => {
    for (const [name] of secrets) {
      const from = (file: string, env = {}) =>
        mistakesOf({ ...env, [`${name}_FILE`]: file }).filter((mistake) => mistake.startsWith(name))
      expect(from('/run/secrets/key', { [name]: 'k'.repeat(40) })[0]).toContain(`${name} and ${name}_FILE are both set`)
      expect(from('/no/such')[0]).toContain('/no/such, which cannot be read (ENOENT)')
      expect(from('/run/secrets/empty')[0]).toContain('which is empty')
    }
  })

  it('of the past may be several, separated by commas or lines; one that contains a comma still works', () => {
    const before = (env: Readonly<Record<string, string>>) => read(env).settings.NOD_SECRET_PREVIOUS
    expect(before({ NOD_SECRET_PREVIOUS: 'one, two' })).toEqual(['one, two', 'one', 'two'])
    expect(before({ NOD_SECRET_PREVIOUS_FILE: '/run/secrets/two' })).toEqual(
      expect.arrayContaining(['the older one', 'the oldest one']),
    )
  })

  it('of blanks counts as too short, not as missing, so that a protected server never starts open', () => {
    expect(mistakesOf({ NOD_ACCESS_TOKEN: '   ' })).toEqual([expect.stringContaining('too short')])
    expect(mistakesOf({ NOD_ACCESS_TOKEN: ' '.repeat(40) })).toHaveLength(1)
  })

  it('is required if several servers share a database', () => {
    expect(mistakesOf({ DATABASE_URL: 'postgres://x' })).toEqual([expect.stringMatching(/^NOD_SECRET is not set/)])
    expect(mistakesOf({ DATABASE_URL: 'postgres://x', NOD_SECRET_FILE: '/run/secrets/key' })).toEqual([])
  })
})
