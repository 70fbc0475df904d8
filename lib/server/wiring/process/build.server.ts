import { version as packageVersion } from '@/package.json'

/** The name of this build: a hash of its inputs, so that nodes with the same version agree. '' in development. */
export const serverBuild = process.env.NOD_BUILD ?? ''

/** The version in release notation: `0.2.0`. */
export const serverVersion: string = packageVersion
