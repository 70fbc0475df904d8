import { createHash } from 'node:crypto'

export interface Header {
  readonly key: string
  readonly value: string
}

const nosniff: Header = { key: 'X-Content-Type-Options', value: 'nosniff' }

const DENIED_FEATURES =
  'camera=(), microphone=(), geolocation=(), display-capture=(), usb=(), serial=(), hid=(), midi=(), payment=(), publickey-credentials-get=(), local-fonts=(), storage-access=()'

/** Sent with every response of the app. Clipboard writes stay allowed here. */
export const appHeaders: readonly Header[] = [
  nosniff,
  { key: 'Referrer-Policy', value: 'same-origin' },
  { key: 'Permissions-Policy', value: `${DENIED_FEATURES}, clipboard-read=()` },
]

const policyOf = (...parts: readonly string[]): Header => ({ key: 'Content-Security-Policy', value: parts.join('; ') })

/**
 * For data and libraries, which are never documents. If an error page or anything else is shown under such a URL,
 * nothing in it runs or loads.
 */
export const dataHeaders: readonly Header[] = [policyOf("default-src 'none'", "frame-ancestors 'none'")]

/** Our own workers run with the policy of their own file: they load only their own parts. */
export const workerHeaders: readonly Header[] = [
  policyOf("default-src 'none'", "script-src 'self'", "frame-ancestors 'none'"),
]

/**
 * The policy of a worker that runs a model or connects to one: its own scripts, WebAssembly if needed, and the allowed
 * hosts. Only this worker may reach them; the page's policy is unaffected.
 * @param hosts sources as returned by `readHosts`
 */
export const modelWorkerPolicy = ({
  hosts,
  wasm,
  own = true,
}: {
  readonly hosts: readonly string[]
  readonly wasm: boolean
  /** Also allow our own origin. */
  readonly own?: boolean
}): string =>
  [
    "default-src 'none'",
    `script-src 'self'${wasm ? " 'wasm-unsafe-eval'" : ''}`,
    ...(wasm ? ["worker-src 'self' blob:"] : []),
    ['connect-src', ...connectSources(hosts, own)].join(' '),
    "frame-ancestors 'none'",
  ].join('; ')

const connectSources = (hosts: readonly string[], own: boolean): readonly string[] =>
  own ? ["'self'", ...hosts] : hosts.length > 0 ? hosts : ["'none'"]

/**
 * For the frame around the worker that runs a model: our own script by hash, which starts our own worker, and nothing
 * else. Unlike the page, it is cross-origin isolated, so that its worker's threads can share memory.
 */
export const modelFrameHeaders = (html: string): readonly Header[] => [
  policyOf(
    "default-src 'none'",
    `script-src ${inlineScriptHashes(html).join(' ') || "'none'"}`,
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
  ),
  { key: 'Document-Isolation-Policy', value: 'isolate-and-require-corp' },
]

/** For the page where a sign-in window ends: its own script by hash, no referrer and no caching. */
export const returnPageHeaders = (html: string): readonly Header[] => [
  policyOf(
    "default-src 'none'",
    `script-src ${inlineScriptHashes(html).join(' ') || "'none'"}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ),
  { key: 'Referrer-Policy', value: 'no-referrer' },
  { key: 'Cache-Control', value: 'no-store' },
]

/**
 * For modules that a frame with an opaque origin loads: since that origin matches none, any origin may load them. They
 * are public code.
 */
export const drawingHeaders: readonly Header[] = [
  ...dataHeaders,
  { key: 'Access-Control-Allow-Origin', value: '*' },
  // Their folder names contain the versions.
  { key: 'Cache-Control', value: 'public, max-age=31536000, immutable' },
]

/** CSP sources of the inline scripts of a page, as `'sha256-…'`; a script hash allows no other script. */
export function inlineScriptHashes(html: string): readonly string[] {
  const scripts = html.matchAll(/<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/gi)
  return Array.from(scripts, ([, code = '']) => `'sha256-${createHash('sha256').update(code).digest('base64')}'`)
}

/**
 * For the frame that runs model-written code, and the one that shows model-written HTML: opaque origin, no network, no
 * features, only our own inline script by hash. `eval` lets the sandbox compile code inside its blob worker. In
 * Chromium, `Connection-Allowlist` also blocks WebRTC and DNS.
 */
export function frameHeaders(
  html: string,
  options: {
    readonly runsCode: boolean
    /** The frame loads modules of ours, and nothing else. */
    readonly loadsOurs?: boolean
  },
): readonly Header[] {
  const hashes = inlineScriptHashes(html).join(' ')
  const ours = options.loadsOurs === true && hashes !== '' ? `${hashes} 'self'` : hashes
  const scripts = options.runsCode ? `${hashes} 'unsafe-eval' 'wasm-unsafe-eval' blob:` : ours
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
    { key: 'Connection-Allowlist', value: options.loadsOurs === true ? '(response-origin)' : '()' },
    { key: 'Referrer-Policy', value: 'no-referrer' },
    // All opaque frames of a site share one process, which an endless loop keeps busy even after its frame is removed.
    // A frame that draws on its main thread gets its own process, so that the other frames and the sandbox keep
    // working.
    ...(options.loadsOurs === true ? [{ key: 'Document-Isolation-Policy', value: 'isolate-and-require-corp' }] : []),
    nosniff,
    {
      key: 'Permissions-Policy',
      value: `${DENIED_FEATURES}, clipboard-read=(), clipboard-write=(), fullscreen=()`,
    },
  ]
}

/**
 * For the frame that runs a workspace page with its scripts. All of its content is untrusted, so scripts are not
 * distinguished: the opaque origin contains it, and nothing leads out of it. No network, no frames of other URLs,
 * windows, dialogs, downloads or storage. Workers are created from its own text (`blob:`), under this same policy, and
 * end with it. `allow-forms` lets a page handle a form's submit event; the submission itself is refused. The frame gets
 * its own process if the browser supports that, because an endless loop does not end with its frame.
 */
export const pageFrameHeaders: readonly Header[] = [
  policyOf(
    'sandbox allow-scripts allow-forms',
    "default-src 'none'",
    "script-src 'unsafe-inline' 'unsafe-eval' 'wasm-unsafe-eval' data: blob:",
    "style-src 'unsafe-inline' data: blob:",
    'img-src data: blob:',
    'media-src data: blob:',
    'font-src data: blob:',
    "connect-src 'none'",
    'worker-src blob:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
  ),
  { key: 'Connection-Allowlist', value: '()' },
  { key: 'Referrer-Policy', value: 'no-referrer' },
  { key: 'Document-Isolation-Policy', value: 'isolate-and-require-corp' },
  nosniff,
  {
    key: 'Permissions-Policy',
    // In browsers without the last feature, `keyboard-guard.ts` has the same effect.
    value: `${DENIED_FEATURES}, clipboard-read=(), clipboard-write=(), fullscreen=(), focus-without-user-activation=()`,
  },
]

/** A shared chat. No other page is below this path. */
export const isSharedPath = (path: string): boolean => /^\/s(?:\/|$)/.test(path)

/**
 * For a shared chat: search engines and caches must not store it (a revoked link must show nothing), and other sites
 * must not learn its URL.
 */
export const sharedHeaders: readonly Header[] = [
  { key: 'X-Robots-Tag', value: 'noindex, nofollow, noarchive, nosnippet' },
  { key: 'Cache-Control', value: 'private, no-store' },
  { key: 'Referrer-Policy', value: 'no-referrer' },
]

/**
 * The policy of every page. Scripts run by nonce only; no `unsafe-*` in production. Workers: our own files. Frames:
 * only our own sandbox, which has stricter headers of its own. `next dev` needs eval (React's debugging), inline styles
 * and a web socket. A shared chat is read-only and may not submit forms.
 */
export function contentSecurityPolicy({
  nonce,
  dev,
  isShared = false,
}: {
  readonly nonce: string
  readonly dev: boolean
  readonly isShared?: boolean
}): string {
  return [
    "default-src 'none'",
    `script-src 'nonce-${nonce}' 'strict-dynamic'${dev ? " 'unsafe-eval'" : ''}`,
    `style-src 'self' ${dev ? "'unsafe-inline'" : `'nonce-${nonce}'`}`,
    "img-src 'self' data: blob:",
    "font-src 'self'",
    `connect-src 'self'${dev ? ' ws:' : ''}`,
    "worker-src 'self'",
    "manifest-src 'self'",
    "frame-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    isShared ? "form-action 'none'" : "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/** The server's own origin, and those of its sign-in: issuer, tokens, registration. */
const MAX_ORIGINS = 5

/**
 * The policy of the worker that connects to one tool server: only the origins in `to`, and only if the operator's hosts
 * allow them. These are two policies in one header: a request must pass both, so the browser itself matches wildcards.
 * @param hosts sources as returned by `readHosts`
 * @param to the query parameters `to`: the server's origin, then those where its users sign in; anything but http(s)
 * origins opens nothing
 */
export function mcpWorkerPolicy(hosts: readonly string[], to: readonly string[]): string {
  const areOrigins = to.length <= MAX_ORIGINS && to.every(isWebOrigin)
  const only = modelWorkerPolicy({ hosts: areOrigins ? to : [], wasm: false, own: false })
  return `${only}, ${modelWorkerPolicy({ hosts, wasm: false, own: false })}`
}

/** A URL origin contains no space, `;` or `,` that could start another source or directive. */
function isWebOrigin(text: string): boolean {
  if (!/^https?:\/\/[\w.:[\]-]+$/.test(text) || !URL.canParse(text)) return false
  return new URL(text).origin === text
}
