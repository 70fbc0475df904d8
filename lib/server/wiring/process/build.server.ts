import { version as packageVersion } from '@/package.json'

/** The name of this build: a hash of what it was made of, so that nodes of one version agree. '' in development. */
export const serverBuild = process.env.NOD_BUILD ?? ''

/** As releases are called: `0.2.0`. */
export const serverVersion: string = packageVersion
