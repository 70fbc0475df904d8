import { listedPackages } from '@/lib/server/wiring/requests/python-packages.server'
import { json } from '../respond'
import { withOwner } from '../with-owner'

export const dynamic = 'force-dynamic'

/** The packages for Python in the sandbox that the operator added. */
export const GET = withOwner({}, () => Promise.resolve(json(listedPackages())))
