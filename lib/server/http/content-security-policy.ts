/**
 * The policy of every page. Scripts run by nonce only; no `unsafe-*` in production. Workers: our own files. Frames: only our own sandbox, which brings stricter headers of its own. `next dev` needs eval (React's
 * debugging), inline styles and a web socket. What somebody shared is read, and no form is sent from it anywhere.
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
