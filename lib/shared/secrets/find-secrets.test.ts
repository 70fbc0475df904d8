import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findInTexts, findSecrets, kindOfMember, type SecretKind } from './find-secrets'

/** Split, so that secret scanners do not report this file. */
const join = (...parts: readonly string[]) => parts.join('')
const letters = 'aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0zA'
const key = join('sk-ant-', 'api03-', letters, letters)

const found = (text: string) => findSecrets(text).map(({ start, end, kind }) => [kind, text.slice(start, end)])

describe('finding values', () => {
  it.each<[SecretKind, string, string]>([
    ['key', join('AKIA', 'Q3EGVR2YJ5LMNOPX'), 'id: %'],
    ['key', join('ghp', '_', letters, 'abcd'), 'git clone https://%@github.com/a/b'],
    ['key', key, 'ANTHROPIC_API_KEY=%'],
    ['key', join('sk-', letters), '{"key":"%"}'],
    ['key', join('sk_', 'live_', letters), 'stripe %.'],
    ['key', join('AIza', letters, 'abc'), '?key=%&q=1'],
    ['key', join('xoxb-', '123456789012-', letters), 'slack: %'],
    ['key', join('eyJhbGciOiJIUzI1NiJ9', '.eyJzdWIiOiIxMjM0In0', '.', letters), 'Cookie: s=%;'],
    ['key', `-----BEGIN RSA PRIVATE KEY-----\n${letters}\n${letters}\n-----END RSA PRIVATE KEY-----`, 'x\n%\ny'],
    ['key', 'h4rd-to-gu3ss', 'postgres://nod:%@db.example/nod'],
    ['key', letters, 'Authorization: Bearer %'],
    ['key', letters, 'client_secret = "%"'],
    ['key', 'Tr0ub4dor&3x', 'password: %'],
    ['key', 'Tr0ub4dor&3x', '密码：%'],
    ['mail', 'anna.meyer+x@mail.example.org', 'From: Anna <%>'],
    ['mail', 'a_b@x.io', '联系%。'],
    ['card', '4111 1111 1111 1111', 'Visa %, 12/29'],
    ['card', '378282246310005', 'amex=%'],
    ['account', 'DE89 3704 0044 0532 0130 00', 'IBAN % BIC COBADEFF'],
    ['account', 'GB82WEST12345698765432', '(%)'],
    ['phone', '+49 (0)30 901820', 'Call % today'],
    ['phone', '+14155552671', 'to:%'],
    ['phone', '(415) 555-2671', 'US %'],
    ['phone', '13912345678', '手机 %'],
    ['phone', '030 / 90 18 20', 'Tel.: %'],
    ['phone', '06 12 34 56 78', 'Appelez le %.'],
    ['phone', '020 7946 0958', 'London office %'],
    ['phone', '(030) 1234567', 'Zentrale %'],
    ['phone', '0151 23456789', 'Anna,%,Berlin'],
    ['phone', '090-1234-5678', '電話は%です'],
    ['phone', '010-62345678', '总机 %'],
    ['phone', '0049 151 23456789', 'aus dem Ausland %'],
    ['mail', 'jürgen.müller@bücher.example', 'An: %'],
    ['card', '6011-1111-1111-1117', 'card=%'],
    ['key', join('hvs.', letters), 'VAULT: %'],
    ['key', join('dckr_', 'pat_', letters.slice(0, 27)), 'docker login -p %'],
    ['key', join('PMAK-', 'a1b2c3d4e5f6'.repeat(2), '-', 'a1b2c3d4e5f6'.repeat(2), '0123456789'), '%'],
    ['key', join('NRAK-', 'A1B2C3D4E5F6G7H8I9J0K1L2M3N'), 'relic %'],
    ['key', join('key-', 'a1b2c3d4'.repeat(4)), 'mailgun %'],
    ['key', join('tskey-', 'auth-', letters), 'tailscale up --authkey %'],
    ['key', join('AGE-SECRET-', 'KEY-1', 'A1B2C3D4E5'.repeat(6).slice(0, 58)), '# age\n%\n'],
    ['key', join('N', letters.slice(0, 25), '.', 'Abc123', '.', letters), 'discord %'],
    ['key', join('T0AB', '12/B0CD34/', letters), 'https://hooks.slack.com/services/%'],
    ['key', letters, 'https://a.blob.example/c?sv=1&sig=%&se=2'],
    ['key', 'correcthorse', 'DB_PASSWORD=%\nPORT=1'],
    ['key', 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYzzzzzzKEY', 'aws_secret_access_key = %'],
    ['key', letters, `{"k":"-----BEGIN PRIVATE KEY-----\\n%\\n-----END PRIVATE KEY-----\\n"}`],
  ])('%s %s', (kind, value, around) => {
    expect(found(around.replace('%', () => value))).toContainEqual([kind, value])
  })

  it('lists them in order, without overlaps', () => {
    expect(found(`b@x.org token=${key} a@x.org`)).toEqual([
      ['mail', 'b@x.org'],
      ['key', key],
      ['mail', 'a@x.org'],
    ])
  })
})

describe('text that is not a secret', () => {
  it.each([
    'const token = readToken(next, position)',
    'password: string, secret: boolean',
    'readonly secret: Uint8Array, token = base64url(bytes)',
    'The password is sent by the browser.',
    'token = config.authorization.header',
    'git@github.com:nod/nod.git',
    'npm install @types/node@20.1.2',
    'order 4111 1111 1111 1112',
    'id 1234567890123456',
    'at 1700000000000 ms',
    'sha 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    'DE88 3704 0044 0532 0130 00',
    '2026-11-27 10:15:00.123',
    'a + 12 345, 192.168.100.200, v1.2.3-4567',
    'am 01.02.2026 10:30, 05/11/2026 to 06/11/2026',
    'range 0.5 0.75 0.125, 0010 0020 0030',
    'TOKEN_LIMIT=4096',
    'export MAX_TOKENS=200000',
    'key-value-pairs and re_match_all_of_them',
    'class="sk-fading-circle-with-many-dots"',
    'task-sk-learn-and-more-words-without-end-here',
  ])('%s', (text) => {
    expect(found(text)).toEqual([])
  })
})

describe('members of objects', () => {
  it('are secret by their names', () => {
    const cases = [
      ['password', 'correct-horse', 'key'],
      ['apiKey', 'abcdefgh', 'key'],
      ['db_password', 'correct-horse', 'key'],
      ['tokens', 'abcdefgh', null],
      ['password', 'two words', null],
      ['password', 'no', null],
      ['phone', '030 1234567', 'phone'],
      ['homePhone', '4915112345678', 'phone'],
      ['mobile_number', '(0151) 234-5678', 'phone'],
      ['phones', '0301234567', 'phone'],
      ['电话号码', '010-62345678', 'phone'],
      ['hotel', '2026 10 11', null],
      ['phone', 'none yet', null],
      ['phone', '110', null],
    ] as const
    for (const [name, value, kind] of cases)
      expect([name, value, kindOfMember(name, value)]).toEqual([name, value, kind])
  })
})

const never = () => Promise.resolve()

describe('long texts', () => {
  it.each([0, 65_500, 65_530, 65_536, 131_060])('finds a value at %i, and pauses on the way', async (at) => {
    let breaths = 0
    const text = `${'word '.repeat(Math.ceil(at / 5)).slice(0, at)} ${key} ${'word '.repeat(60_000)}`
    const values = await findInTexts([text], () => Promise.resolve(void (breaths += 1)))
    expect([...values]).toEqual([[key, 'key']])
    expect(breaths).toBeGreaterThan(0)
  })

  it('returns each value once, and only the requested kinds', async () => {
    expect([...(await findInTexts([`a@x.org ${key}`, 'a@x.org'], never, new Set(['mail'])))]).toEqual([
      ['a@x.org', 'mail'],
    ])
  })
})

it('returns no value that could end a string in source code', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      'password=',
      'Bearer ',
      '://u:',
      '@',
      key,
      '+49',
      ' ',
      '"',
      "'",
      '`',
      '\\',
      '$',
      '{',
      '\n',
      'tel: ',
    ),
    fc.string({ maxLength: 12 }),
    fc.nat().map(String),
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
      const text = pieces.join('')
      for (const { start, end } of findSecrets(text)) expect(text.slice(start, end)).not.toMatch(/["'`\\$]/)
    }),
    { numRuns: 300 },
  )
})
