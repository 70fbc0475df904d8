/** The name of this build: a hash of what it was made of, so that nodes of one version agree. '' in development. */
export const serverBuild = process.env.NOD_BUILD ?? ''
