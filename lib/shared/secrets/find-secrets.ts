/*
 * Finds values in a text that the model probably should not see: keys and tokens, email addresses, phone numbers, card
 * and bank account numbers. Pure. Every repetition in a pattern is bounded, so the time is linear in the length of the
 * text. Sources: token formats are those that issuers document, as collected by gitleaks (config/gitleaks.toml, MIT)
 * and secretlint (MIT). Email: the HTML standard's "valid e-mail address". Phone numbers: E.164 and the North American
 * and Chinese plans. Cards: ISO/IEC 7812 with its check digit (Luhn). Accounts: ISO 13616 (IBAN) with mod 97. No value
 * contains a quotation mark, a backslash, a backtick or `$`, so inside source code it stays within its string.
 */

/** `key`: a key, token or password. `account`: an IBAN. */
export type SecretKind = 'key' | 'mail' | 'phone' | 'card' | 'account'

export interface FoundSecret {
  readonly start: number
  readonly end: number
  readonly kind: SecretKind
}

interface Rule {
  readonly kind: SecretKind
  /** With a group: the value is the group. */
  readonly pattern: RegExp
  /** A text without it can't match. */
  readonly needs?: string
  /** The length of the value, if the pattern may match more; 0: no value. Left out: every match is a value. */
  readonly lengthOf?: (match: string) => number
}

const tokens = [
  // AWS access key id
  'A(?:KIA|SIA|BIA|CCA)[A-Z2-7]{16}',
  // GitHub, GitLab
  'gh[pousr]_[A-Za-z0-9]{36,251}',
  'github_pat_[A-Za-z0-9_]{82}',
  'gl(?:pat|dt|rt|cbt|ptt|ft)-[\\w-]{20,64}',
  // OpenAI, Anthropic, OpenRouter, DeepSeek and others that use `sk-`
  'sk-(?=[\\w-]{0,80}\\d)[\\w-]{20,200}',
  // Stripe
  '(?:sk|rk|whsec)_(?:(?:live|test)_)?[A-Za-z0-9]{16,120}',
  // Google API key, OAuth token and secret
  'AIza[\\w-]{35}',
  'ya29\\.[\\w-]{20,300}',
  'GOCSPX-[\\w-]{28}',
  // Slack
  'xox[abeoprs]-[\\w-]{10,200}',
  'xapp-\\d-[A-Za-z0-9-]{10,200}',
  // Hugging Face, npm, PyPI, SendGrid, Groq, xAI, Replicate, DigitalOcean, Shopify, Databricks, Linear, Notion
  'hf_[A-Za-z0-9]{30,40}',
  'npm_[A-Za-z0-9]{36}',
  'pypi-AgE[\\w-]{40,300}',
  'SG\\.[\\w-]{16,32}\\.[\\w-]{16,64}',
  'gsk_[A-Za-z0-9]{40,64}',
  'xai-[A-Za-z0-9]{60,100}',
  'r8_[A-Za-z0-9]{37}',
  'do[opr]_v1_[a-f0-9]{64}',
  'shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}',
  'dapi[a-f0-9]{32}',
  'lin_api_[A-Za-z0-9]{40}',
  '(?:secret|ntn)_[A-Za-z0-9]{43,50}',
  // HashiCorp, Docker, Doppler, Grafana, Postman, New Relic, PlanetScale, Pulumi, RubyGems, Tailscale, Sentry
  'hvs\\.[\\w-]{24,200}',
  '[A-Za-z0-9]{14}\\.atlasv1\\.[\\w-]{60,80}',
  'dckr_(?:pat|oat)_[\\w-]{20,40}',
  'dp\\.(?:pt|st|ct|sa)\\.[\\w.-]{40,80}',
  'gl(?:sa|c)_[\\w=+/-]{32,400}',
  'PMAK-[a-f0-9]{24}-[a-f0-9]{34}',
  'NRAK-[A-Z0-9]{27}',
  'pscale_(?:tkn|pw|oauth)_[\\w.=-]{32,64}',
  'pul-[a-f0-9]{40}',
  'rubygems_[a-f0-9]{48}',
  'tskey-[a-z]{3,12}-[\\w-]{10,80}',
  'sntry[su]_[\\w+/=]{40,300}',
  // Atlassian, Figma, Airtable, Dropbox, Square, Facebook, Mailgun, Mailchimp, Brevo, Resend, Twilio
  'ATATT3[\\w=-]{50,250}',
  'fig[dopu]_[\\w-]{30,60}',
  'pat[A-Za-z0-9]{14}\\.[a-f0-9]{64}',
  'sl\\.[\\w-]{40,200}',
  'sq0(?:atp|csp|idp)-[\\w-]{22,50}',
  'EAA[A-Za-z0-9]{80,250}',
  'key-[a-f0-9]{32}',
  '[a-f0-9]{32}-us\\d{1,2}',
  'xkeysib-[a-f0-9]{64}-\\w{16}',
  're_[A-Za-z0-9]{6,12}_[A-Za-z0-9]{20,40}',
  'SK[a-f0-9]{32}',
  // Supabase, Netlify, Perplexity, Fireworks, Azure AD, Alibaba, Tencent, age, Discord bot
  'sb(?:p_[a-f0-9]{40}|_secret_[\\w-]{20,60})',
  'nf[pcou]_[A-Za-z0-9]{36,40}',
  'pplx-[A-Za-z0-9]{40,60}',
  'fw_[A-Za-z0-9]{22,40}',
  '\\w{3}[78]Q~[\\w.~-]{31,34}',
  'LTAI[A-Za-z0-9]{16,26}',
  'AKID[A-Za-z0-9]{32}',
  'AGE-SECRET-KEY-1[A-Z0-9]{58}',
  '[MNO][\\w-]{23,27}\\.[\\w-]{6}\\.[\\w-]{27,40}',
  // Telegram bot
  '\\d{8,10}:AA[\\w-]{33}',
  // JSON Web Token (RFC 7519)
  'eyJ[\\w-]{8,2000}\\.eyJ[\\w-]{8,6000}\\.[\\w-]{8,1000}',
]

/** A name before a value that marks the value as secret. */
const secretName =
  '(?:pass(?:word|wd|phrase|code)|secret|token|api[_-]?key|access[_-]?key|account[_-]?key|private[_-]?key|client[_-]?secret|密码|口令|密钥)'

const rules: readonly Rule[] = [
  {
    kind: 'key',
    // RFC 7468, and OpenPGP
    pattern:
      /-----BEGIN [A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?-----(?:[\w+/=\s:,.()]|-(?!-)){20,8000}-----END [A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?-----/g,
    needs: 'PRIVATE KEY',
  },
  { kind: 'key', pattern: new RegExp(`(?<![\\w-])(?:${tokens.join('|')})(?![\\w-])`, 'g') },
  // The lines of such a key inside a JSON text, between escaped line breaks.
  {
    kind: 'key',
    pattern: /(?<=\\n)[A-Za-z0-9+/]{8,80}={0,2}(?=\\n)/g,
    needs: 'PRIVATE KEY-----\\n',
  },
  // The secret part of a webhook's address: Slack, Discord
  {
    kind: 'key',
    pattern:
      /(?:hooks\.slack\.com\/(?:services|workflows)\/|discord(?:app)?\.com\/api\/webhooks\/\d{10,25}\/)([\w/-]{20,200})/dg,
    needs: '://',
  },
  // The signature in an address that grants access: Azure, Amazon, Google
  { kind: 'key', pattern: /[?&](?:sig|X-Amz-Signature|X-Goog-Signature)=([\w%+/=-]{20,700})/dg },
  // A line of a settings file
  {
    kind: 'key',
    pattern:
      /^(?:export )?[A-Z][A-Z0-9_]{0,40}(?:PASSWORD|PASSWD|SECRET|TOKEN|API_?KEY|PRIVATE_KEY)(?:_[A-Z0-9_]{1,20})?=["']?(?![/.]|\d+["']?$)([^\s"'`\\$#<>{}]{6,512})/dgm,
  },
  // The password in an address (RFC 3986, userinfo)
  { kind: 'key', pattern: /:\/\/[^\s:/@"'`\\$]{0,64}:([^\s:/@"'`\\$]{6,128})@/dg, needs: '://' },
  // RFC 6750 and RFC 7617
  { kind: 'key', pattern: /\b(?:Bearer|Basic) ([A-Za-z0-9._~+/-]{16,2000}=*)/dg, lengthOf: randomLength },
  {
    kind: 'key',
    pattern: new RegExp(
      `${secretName}[\\w-]{0,20}["']?\\s{0,3}(?:[:=：]|=>)\\s{0,3}["'\`]?([\\w\\-.+/=~!@#%^&*]{8,512})`,
      'dgi',
    ),
    lengthOf: randomLength,
  },
  {
    kind: 'mail',
    pattern:
      /(?<![\p{Script=Latin}\w.%+-])(?!git@)[\p{Script=Latin}\d_][\p{Script=Latin}\w.%+-]{0,63}@(?:[\p{Script=Latin}\d](?:[\p{Script=Latin}\d-]{0,61}[\p{Script=Latin}\d])?\.){1,8}\p{Script=Latin}{2,24}(?![\w-])/gu,
    needs: '@',
  },
  {
    kind: 'account',
    pattern: /(?<![A-Za-z0-9])[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?(?![A-Za-z0-9])/g,
    lengthOf: ibanLength,
  },
  { kind: 'card', pattern: /(?<![\w.-])(?:\d[ -]?){12,18}\d(?![\w-])/g, lengthOf: cardLength },
  {
    kind: 'phone',
    pattern: /(?<![\w.+-])\+[1-9]\d{0,3}(?:[ .()/-]{0,2}\d{1,5}){2,6}(?!\w)/g,
    needs: '+',
    lengthOf: (match) => (isBetween(digitsOf(match).length, 8, 15) ? match.length : 0),
  },
  // With the prefix 00, and national numbers with their leading 0, in groups
  {
    kind: 'phone',
    pattern: /(?<![\w.+:/-])(?<!\d )\(?0[1-9]\d{0,4}\)?(?:[ ./-]{1,3}\d{2,8}){1,5}(?![\w-])/g,
    lengthOf: (match) => nationalLength(match, 9, 12),
  },
  {
    kind: 'phone',
    pattern: /(?<![\w.+:/-])(?<!\d )00[1-9]\d{0,2}(?:[ .()/-]{0,3}\d{1,5}){2,6}(?![\w-])/g,
    // Not a list of numbers that are filled up with zeros
    lengthOf: (match) => (/ 0\d/.test(match) ? 0 : nationalLength(match, 11, 17)),
  },
  { kind: 'phone', pattern: /(?<![\w.-])(?:\([2-9]\d{2}\) ?|[2-9]\d{2}[-. ])[2-9]\d{2}[-. ]\d{4}(?![\w-])/g },
  { kind: 'phone', pattern: /(?<![\w.+-])1[3-9]\d(?:[ -]?\d{4}){2}(?![\w-])/g },
  {
    kind: 'phone',
    pattern:
      /(?:\b(?:tel|phone|mobile|cell|fax)|电话|手机|手机号码?)["']?\s{0,2}[:.：]{1,2}\s{0,3}["']?(\(?\d[\d ()/.-]{4,18}\d)(?!\w)/dgi,
  },
]

/** The values in a text, in order and without overlaps. `kinds`: left out, all kinds. */
export function findSecrets(text: string, kinds?: ReadonlySet<SecretKind>): readonly FoundSecret[] {
  const found: FoundSecret[] = []
  for (const { kind, pattern, needs, lengthOf } of rules) {
    if ((kinds && !kinds.has(kind)) || (needs !== undefined && !text.includes(needs))) continue
    for (const match of text.matchAll(pattern)) {
      const [start, end] = match.indices?.[1] ?? [match.index, match.index + match[0].length]
      const length = lengthOf ? lengthOf(text.slice(start, end)) : end - start
      if (length > 0) found.push({ start, end: start + length, kind })
    }
  }
  // If two values overlap, the rule that comes first wins: it is more exact.
  const covered = new Uint8Array(text.length)
  const taken = found.filter(({ start, end }) => {
    if (covered.subarray(start, end).includes(1)) return false
    covered.fill(1, start, end)
    return true
  })
  return taken.toSorted((a, b) => a.start - b.start)
}

/** A member of an object with such a name is a secret, whatever its form. */
const secretMember = new RegExp(`^[\\w-]{0,20}${secretName}$`, 'i')
const plainValue = /^[^\s"'`\\$<>{}]{6,512}$/
const phoneMember =
  /(?:(?:^|[_ -])(?:[Tt]el|[Tt]elephone|[Pp]hone|[Mm]obile|[Cc]ell|[Ff]ax)|[a-z](?:Tel|Phone|Mobile|Cell|Fax))(?:s|[_ -]?(?:[Nn]umber|[Nn]o|[Nn]r)s?)?$|电话|手机/
const phoneValue = /^[+(]?\d[\d ()/.-]{5,22}$/

/** The kind of a member's value, by the member's name; null: the name does not say. */
export function kindOfMember(name: string, value: string): SecretKind | null {
  if (secretMember.test(name) && plainValue.test(value)) return 'key'
  const isPhone = phoneMember.test(name) && phoneValue.test(value) && isBetween(digitsOf(value).length, 7, 15)
  return isPhone ? 'phone' : null
}

const windowLength = 64 * 1024
/** Characters to search between two pauses. A hidden page gets one pause a second. */
const breathAfter = 256 * 1024
/** The longest value that is found across the edge of two windows. */
const edgeLength = 9 * 1024

export type FindInTexts = (
  texts: readonly string[],
  kinds?: ReadonlySet<SecretKind>,
) => Promise<ReadonlyMap<string, SecretKind>>

/**
 * The distinct values in texts. A long text is searched in windows, and `breathe` is awaited regularly so that the page
 * stays responsive.
 */
export async function findInTexts(
  texts: Iterable<string>,
  breathe: () => Promise<void>,
  kinds?: ReadonlySet<SecretKind>,
): Promise<ReadonlyMap<string, SecretKind>> {
  const values = new Map<string, SecretKind>()
  let read = 0
  for (const text of texts) {
    for (let at = 0; at < text.length; at += windowLength) {
      // The text before a value decides whether it is a secret.
      const from = Math.max(0, at - 64)
      const part = text.slice(from, at + windowLength + edgeLength)
      for (const { start, end, kind } of findSecrets(part, kinds)) {
        if (from + start < at || from + start >= at + windowLength) continue
        const value = part.slice(start, end)
        if (!values.has(value)) values.set(value, kind)
      }
      read += part.length
      if (read < breathAfter) continue
      read = 0
      await breathe()
    }
  }
  return values
}

/** In code, a parameter called `secret` or `token` is often followed by a type or an encoding. */
const typeName = /^(?:(?:Big)?(?:Ui|I)nt|Float)\d+(?:Clamped)?Array$|^base64(?:url)?$/

/** Words, paths and calls follow such names too. A value has letters and digits, and few repetitions. */
function randomLength(value: string): number {
  const plain = value.replace(/[.,:=]+$/, '')
  if (typeName.test(plain)) return 0
  const isRandom = /\d/.test(plain) && /[a-z]/i.test(plain) && entropyOf(plain) >= 3
  return isRandom && plain.length >= 8 ? plain.length : 0
}

/** Bits per character (Shannon). */
function entropyOf(text: string): number {
  const counts = new Map<string, number>()
  for (const one of text) counts.set(one, (counts.get(one) ?? 0) + 1)
  let bits = 0
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length)
  return bits
}

const issuers = /^(?:4|5[0-8]|2[2-7]|3[4-9]|6)/

function cardLength(match: string): number {
  const digits = digitsOf(match)
  const isCard = isBetween(digits.length, 13, 19) && issuers.test(digits) && new Set(digits).size > 1 && luhn(digits)
  return isCard ? match.length : 0
}

export function luhn(digits: string): boolean {
  let sum = 0
  for (let at = digits.length - 1, doubled = false; at >= 0; at -= 1, doubled = !doubled) {
    const digit = Number(digits[at]) * (doubled ? 2 : 1)
    sum += digit > 9 ? digit - 9 : digit
  }
  return sum % 10 === 0
}

/** A word in capitals may follow the number: the longest valid prefix counts. */
function ibanLength(match: string): number {
  for (let text = match; text.length >= 15; text = text.slice(0, Math.max(0, text.lastIndexOf(' ')))) {
    const plain = text.replaceAll(' ', '')
    if (isBetween(plain.length, 15, 34) && mod97(plain) === 1) return text.length
  }
  return 0
}

function mod97(iban: string): number {
  let rest = 0
  for (const one of iban.slice(4) + iban.slice(0, 4)) {
    const digit = Number.parseInt(one, 36)
    rest = (rest * (digit > 9 ? 100 : 10) + digit) % 97
  }
  return rest
}

/** Not a date with a time, or an address of the network. */
function nationalLength(match: string, least: number, most: number): number {
  const isDate = /^\d{2}[./ -]\d{2}[./ -]\d{2,4}(?!\d)/.test(match) && !/^\d{2}([. -])(?:\d{2}\1){3}\d{2}$/.test(match)
  return !isDate && isBetween(digitsOf(match).length, least, most) ? match.length : 0
}

const digitsOf = (text: string): string => text.replaceAll(/\D/g, '')
const isBetween = (value: number, least: number, most: number): boolean => value >= least && value <= most
