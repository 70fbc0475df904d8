import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { appHeaders, frameHeaders, inlineScriptHashes } from './response-headers'

const html = '<!doctype html><meta charset="utf-8"><script>start("\u00e9")</script><script src="/x.js"></script>'
const valueOf = (headers: readonly { key: string; value: string }[], key: string) =>
  headers.find((header) => header.key === key)?.value ?? ''

describe('the headers of static responses', () => {
  it('name inline scripts by the hash that browsers compute', () => {
    const digest = createHash('sha256').update('start("\u00e9")', 'utf8').digest('base64')
    expect(inlineScriptHashes(html)).toEqual([`'sha256-${digest}'`])
    expect(inlineScriptHashes('')).toEqual([])
  })

  it('isolate the frame that runs code: opaque, no network, our script only', () => {
    const headers = frameHeaders(html, { runsCode: true })
    const policy = valueOf(headers, 'Content-Security-Policy')
    expect(policy).toMatch(/^sandbox allow-scripts; default-src 'none'; script-src 'sha256-[\w+/]+=' 'unsafe-eval' /)
    for (const part of ["connect-src 'none'", 'worker-src blob:', "frame-ancestors 'self'", "form-action 'none'"]) {
      expect(policy).toContain(part)
    }
    expect(policy).not.toMatch(/allow-same-origin|script-src[^;]*'self'|'unsafe-inline' blob/)
    expect(valueOf(headers, 'Connection-Allowlist')).toBe('()')
    expect(valueOf(headers, 'Referrer-Policy')).toBe('no-referrer')
    expect(valueOf(headers, 'X-Content-Type-Options')).toBe('nosniff')
    expect(valueOf(headers, 'Permissions-Policy')).toContain('camera=()')
  })

  it('give the frame that shows HTML no eval and no worker', () => {
    const policy = valueOf(frameHeaders(html, { runsCode: false }), 'Content-Security-Policy')
    expect(policy).toMatch(/script-src 'sha256-[\w+/]+=';/)
    expect(policy).toContain("worker-src 'none'")
    expect(policy).not.toContain('eval')
  })

  it('let the frame that draws diagrams load only our own modules', () => {
    const headers = frameHeaders(html, { runsCode: false, loadsOurs: true })
    const policy = valueOf(headers, 'Content-Security-Policy')
    expect(policy).toMatch(/^sandbox allow-scripts; default-src 'none'; script-src 'sha256-[\w+/]+=' 'self';/)
    expect(policy).toContain("connect-src 'none'")
    expect(policy).not.toMatch(/allow-same-origin|eval|script-src[^;]*(?:unsafe|blob|https?)/)
    expect(valueOf(headers, 'Connection-Allowlist')).toBe('(response-origin)')
    // Runs in its own process, so that a hang there does not affect other frames.
    expect(valueOf(headers, 'Document-Isolation-Policy')).toBe('isolate-and-require-corp')
    const missing = frameHeaders('', { runsCode: false, loadsOurs: true })
    expect(valueOf(missing, 'Content-Security-Policy')).toContain("script-src 'none';")
  })

  it('let no script run while the page is missing', () => {
    expect(valueOf(frameHeaders('', { runsCode: false }), 'Content-Security-Policy')).toContain("script-src 'none';")
  })

  it('protect the app itself', () => {
    expect(valueOf(appHeaders, 'X-Content-Type-Options')).toBe('nosniff')
    expect(valueOf(appHeaders, 'Referrer-Policy')).toBe('same-origin')
    expect(valueOf(appHeaders, 'Permissions-Policy')).toContain('microphone=()')
  })
})
