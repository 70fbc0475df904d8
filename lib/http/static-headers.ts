import { createHash } from 'node:crypto'

export interface Header {
  readonly key: string
  readonly value: string
}

const nosniff: Header = { key: 'X-Content-Type-Options', value: 'nosniff' }

const DENIED_FEATURES =
  'camera=(), microphone=(), geolocation=(), display-capture=(), usb=(), serial=(), hid=(), midi=(), payment=(), publickey-credentials-get=(), local-fonts=(), storage-access=()'

/** For every answer of the app. Copying to the clipboard stays allowed here. */
export const appHeaders: readonly Header[] = [
  nosniff,
  { key: 'Referrer-Policy', value: 'same-origin' },
  { key: 'Permissions-Policy', value: `${DENIED_FEATURES}, clipboard-read=()` },
]

const policyOf = (...parts: readonly string[]): Header => ({ key: 'Content-Security-Policy', value: parts.join('; ') })

/**
 * For data and for libraries: what is read is no document. Should an error page or anything else be shown under such an
 * address, nothing in it runs or loads.
 */
export const dataHeaders: readonly Header[] = [policyOf("default-src 'none'", "frame-ancestors 'none'")]

/** Our own workers run by the policy of their own file: they load nothing but their own parts. */
export const workerHeaders: readonly Header[] = [
  policyOf("default-src 'none'", "script-src 'self'", "frame-ancestors 'none'"),
]

/** CSP sources of the inline scripts of a page, as `'sha256-…'`; a script hash cannot be borrowed for another script. */
export function inlineScriptHashes(html: string): readonly string[] {
  const scripts = html.matchAll(/<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/gi)
  return Array.from(scripts, ([, code = '']) => `'sha256-${createHash('sha256').update(code).digest('base64')}'`)
}

/**
 * For the frame in which model-written code runs, and the one that shows model-written HTML: opaque origin, no network,
 * no features, only our own inline script by hash. `eval` lets the sandbox compile code inside its blob worker. Chromium
 * also closes WebRTC and DNS by `Connection-Allowlist`.
 */
export function frameHeaders(html: string, options: { readonly runsCode: boolean }): readonly Header[] {
  const hashes = inlineScriptHashes(html).join(' ')
  const scripts = options.runsCode ? `${hashes} 'unsafe-eval' 'wasm-unsafe-eval' blob:` : hashes
  const policy = [
    'sandbox allow-scripts',
    "default-src 'none'",
    `script-src ${scripts.trim() || "'none'"}`,
    options.runsCode ? 'worker-src blob:' : "worker-src 'none'",
    "connect-src 'none'",
    'img-src data: blob:',
    'media-src data: blob:',
    'font-src data:',
    "style-src 'unsafe-inline'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
  ].join('; ')
  return [
    { key: 'Content-Security-Policy', value: policy },
    { key: 'Connection-Allowlist', value: '()' },
    { key: 'Referrer-Policy', value: 'no-referrer' },
    nosniff,
    {
      key: 'Permissions-Policy',
      value: `${DENIED_FEATURES}, clipboard-read=(), clipboard-write=(), fullscreen=()`,
    },
  ]
}
