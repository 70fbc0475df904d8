import { z } from 'zod'
import { safePath } from '@/lib/server/http/access'

/* Lengths are limited here; the accounts validate the values and explain errors in a sentence. */

const email = z.string().max(400)
const password = z.string().max(1000)
const code = z.string().max(200)
/** A path on this server; anything else becomes `/`. */
const next = z
  .string()
  .max(2000)
  .transform((path) => safePath(path))

export const signUpBody = z.strictObject({
  email,
  password,
  name: z.string().max(100).default(''),
  invitation: code.nullable().default(null),
})
export const signInBody = z.strictObject({ email, password })
export const signOutBody = z.strictObject({ everywhere: z.boolean().default(false) })
export const oidcBody = z.strictObject({
  next: next.default('/'),
  link: z.boolean().default(false),
  invitation: code.nullable().default(null),
})
export const passwordBody = z.strictObject({ current: password, next: password })
export const resetBody = z.strictObject({ code, password })
export const deleteBody = z.strictObject({ confirm: email, password: password.nullable().default(null) })

const role = z.enum(['user', 'admin'])

/** One change per request, so that each is one entry of the audit. */
export const changeAccountBody = z.union([z.strictObject({ role }), z.strictObject({ disabled: z.boolean() })])
export const inviteBody = z.strictObject({ email: z.string().max(400).nullable(), role: role.default('user') })
