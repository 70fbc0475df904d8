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

/**
 * The policy of a worker that runs a model or talks to one: its own scripts, WebAssembly where it needs that, and the hosts it
 * may reach. Those are open to this worker alone; the page's policy stays as it is.
 * @param hosts sources as `readHosts` gives them
 */
export const modelWorkerPolicy = ({
  hosts,
  wasm,
  own = true,
}: {
  readonly hosts: readonly string[]
  readonly wasm: boolean
  /** Our own origin, too. */
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
 * For the frame around the worker that runs a model: our own script by hash, which starts our own worker, and nothing else. It is
 * isolated from other origins by itself, as the page is not: by that its worker's threads share memory.
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

/** For the page where the window of a sign-in ends: its own script by hash, and nothing of its address continues or is kept. */
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

/** For modules that a frame of an opaque origin loads: it is no one's origin, so everyone may. They are public code. */
export const drawingHeaders: readonly Header[] = [
  ...dataHeaders,
  { key: 'Access-Control-Allow-Origin', value: '*' },
  // Their folders carry the versions.
  { key: 'Cache-Control', value: 'public, max-age=31536000, immutable' },
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
export function frameHeaders(
  html: string,
  options: {
    readonly runsCode: boolean
    /** It loads modules of ours, and nothing else. */
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
    // All opaque frames of a site share one process, which a loop without end keeps busy after its frame is gone: what draws on
    // its main thread gets a process of its own, so that the others, and the sandbox, go on.
    ...(options.loadsOurs === true ? [{ key: 'Document-Isolation-Policy', value: 'isolate-and-require-corp' }] : []),
    nosniff,
    {
      key: 'Permissions-Policy',
      value: `${DENIED_FEATURES}, clipboard-read=(), clipboard-write=(), fullscreen=()`,
    },
  ]
}

/**
 * For the frame in which a page of the workspace runs with its scripts. Its content is foreign as a whole, so scripts are not
 * told apart: what holds it is the opaque origin, and that nothing leads out of it. No network of any kind, no frames of other
 * addresses, windows, dialogs, downloads or storage. Workers are made of texts of its own (`blob:`), under this same policy, and
 * end with it. `allow-forms` lets a page hear that its form was sent; where to is refused. Its
 * process is its own where the browser knows how, as a loop without end does not end with its frame.
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
    // Browsers that don’t know the last one yet are helped by `keep-keyboard.ts`.
    value: `${DENIED_FEATURES}, clipboard-read=(), clipboard-write=(), fullscreen=(), focus-without-user-activation=()`,
  },
]

/** A chat that someone shared. What is below it is no other page. */
export const isSharedPath = (path: string): boolean => /^\/s(?:\/|$)/.test(path)

/**
 * For its page: no search engine keeps it, no cache on the way does (a link that was ended must show nothing), and no other site
 * learns its address.
 */
export const sharedHeaders: readonly Header[] = [
  { key: 'X-Robots-Tag', value: 'noindex, nofollow, noarchive, nosnippet' },
  { key: 'Cache-Control', value: 'private, no-store' },
  { key: 'Referrer-Policy', value: 'no-referrer' },
]

/**
 * The policy of every page. Scripts run by nonce only; no `unsafe-*` in production. Workers: our own files. Frames: only our own sandbox, which brings stricter headers of its own. `next dev` needs eval (React's
 * debugging), inline styles and a web socket. What someone shared is read, and no form is sent from it anywhere.
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

/** The server's own, and those of its sign-in: issuer, tokens, registration. */
const MAX_ORIGINS = 5

/**
 * The policy of the worker that talks to one tool server: only the origins in `to`, and only where the operator's hosts allow
 * them. These are two policies in one header: a request must pass both, so the browser itself matches wildcards.
 * @param hosts sources as `readHosts` gives them
 * @param to the query parameters `to`: the server's origin, then those where its users sign in; anything but http(s) origins
 *   opens nothing
 */
export function mcpWorkerPolicy(hosts: readonly string[], to: readonly string[]): string {
  const areOrigins = to.length <= MAX_ORIGINS && to.every(isWebOrigin)
  const only = modelWorkerPolicy({ hosts: areOrigins ? to : [], wasm: false, own: false })
  return `${only}, ${modelWorkerPolicy({ hosts, wasm: false, own: false })}`
}

/** An origin as a URL writes it has no space, `;` or `,` by which another source or directive could begin. */
function isWebOrigin(text: string): boolean {
  if (!/^https?:\/\/[\w.:[\]-]+$/.test(text) || !URL.canParse(text)) return false
  return new URL(text).origin === text
}
