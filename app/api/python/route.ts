import { listedPackages } from '@/lib/server/wiring/requests/python-packages.server'
import { json } from '../respond'
import { withOwner } from '../with-owner'

export const dynamic = 'force-dynamic'

/** The operator's additional Python packages for the sandbox. */
export const GET = withOwner({}, () => Promise.resolve(json(listedPackages())))
