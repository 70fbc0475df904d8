import { z } from 'zod'

const role = z.enum(['user', 'admin'])

/** One change at a time, so that each is one act of the audit. */
export const changeAccountBody = z.union([z.strictObject({ role }), z.strictObject({ disabled: z.boolean() })])
export const inviteBody = z.strictObject({ email: z.string().max(400).nullable(), role: role.default('user') })
