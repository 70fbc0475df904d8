import { wheelResponse } from '@/lib/server/wiring/requests/python-packages.server'
import { param, withOwner } from '../../with-owner'

export const dynamic = 'force-dynamic'

/** One of the wheels, by the SHA-256 of its bytes, so its content never changes. */
export const GET = withOwner({}, ({ params }) => Promise.resolve(wheelResponse(param(params, 'hash'))))
