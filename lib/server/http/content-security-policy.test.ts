import { describe, expect, it } from 'vitest'
import { contentSecurityPolicy } from './response-headers'

describe('the content security policy of a page', () => {
  it('is exactly this in production: nothing unsafe', () => {
    const policy = contentSecurityPolicy({ nonce: 'abc', dev: false })
    expect(policy).toBe(
      "default-src 'none'; script-src 'nonce-abc' 'strict-dynamic'; style-src 'self' 'nonce-abc'; " +
        "img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; worker-src 'self'; manifest-src 'self'; frame-src 'self'; " +
        "object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    )
    expect(policy).not.toContain('unsafe')
  })

  it('allows no form submission on a shared chat, and is otherwise the same', () => {
    const shared = contentSecurityPolicy({ nonce: 'abc', dev: false, isShared: true })
    const own = contentSecurityPolicy({ nonce: 'abc', dev: false })
    expect(shared).toBe(own.replace("form-action 'self'", "form-action 'none'"))
    expect(shared).not.toBe(own)
  })

  it('allows in development only what that needs', () => {
    const policy = contentSecurityPolicy({ nonce: 'abc', dev: true })
    expect(policy).toContain("script-src 'nonce-abc' 'strict-dynamic' 'unsafe-eval';")
    expect(policy).toContain("style-src 'self' 'unsafe-inline';")
    expect(policy).toContain("connect-src 'self' ws:;")
  })
})
