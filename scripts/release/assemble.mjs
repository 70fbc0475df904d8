// Adds to Next's standalone folder everything that a server needs: Next's part, every file for browsers in every
// encoding, and the entry that serves them. A host needs only Node.
import { existsSync } from 'node:fs'
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { build } from 'esbuild'
import { headersOfAsset } from './asset-headers.mjs'
import { compressAsset } from './compress.mjs'
import { bringHostFiles, entryOptions, releaseEntries, writeReleasePackage } from './contents.mjs'
import { fillCompileCache } from './fill-compile-cache.mjs'
import { narrowSources } from './narrow-sources.mjs'
import { builtFilesOf, bundleServiceWorkers } from './service-worker.mjs'

/** Next traces the whole project if code asks for its folder; the server reads only these. */
const kept = new Set(['.next', 'node_modules', 'package.json'])
/** Pictures are never resized (`images.unoptimized`), nothing is compiled, and fonts were measured by the build. */
const unneeded = ['@img', 'sharp', 'typescript', 'detect-libc', 'semver', 'next/dist/server/capsize-font-metrics.json']

/** As in the docs; it is the version that builds. */
const LEAST_NODE = 24

/** Compressing a file takes up to 100 MB from the request on, so three hundred at once would run out of memory. */
const atOnce = 4

const readJson = async (file) => JSON.parse(await readFile(file, 'utf8'))

/**
 * @param {string} project the folder that was built
 * @param {{ cache: string }} options where compressed files are kept from build to build
 * @returns {Promise<string>} the release's folder
 */
export async function assembleRelease(project, { cache }) {
  const dist = path.join(project, '.next')
  const release = path.join(dist, 'standalone')
  // If a lockfile above makes Next see a larger project, the app is that much deeper.
  const { relativeAppDir: app, config } = await readJson(path.join(dist, 'required-server-files.json'))
  const { basePath } = config
  await prune(path.join(release, app))
  await Promise.all([
    writeFile(path.join(release, 'release.json'), JSON.stringify({ app, basePath, filesHash: config.env.NOD_FILES })),
    cp(path.join(dist, 'notices.json'), path.join(release, 'notices.json')).catch(() => {}),
    ...Object.entries(releaseEntries).map(([name, source]) => bundleEntry(source, path.join(release, name))),
    bringHostFiles(project, release),
    writeReleasePackage(project, release, LEAST_NODE),
    writeAssets(project, release, { cache, env: config.env }),
    // Packages are at the top, and also beside a deeper app if the trace found some there.
    ...new Set(
      [path.join(app, '.next'), path.join(app, 'node_modules'), 'node_modules'].map((name) => path.join(release, name)),
    )
      .values()
      .filter(existsSync)
      .map(narrowSources),
  ])
  await fillCompileCache(release, basePath)
  return release
}

async function prune(folder) {
  const names = await readdir(folder)
  const strangers = names.filter((name) => !kept.has(name)).map((name) => path.join(folder, name))
  const packages = unneeded.map((name) => path.join(folder, 'node_modules', name))
  // The traces themselves, about 330 kB per route.
  const traces = (await readdir(path.join(folder, '.next/server'), { recursive: true }))
    .filter((name) => name.endsWith('.nft.json'))
    .map((name) => path.join(folder, '.next/server', name))
  await Promise.all([...strangers, ...packages, ...traces].map((name) => rm(name, { recursive: true, force: true })))
}

const bundleEntry = (entry, outfile) => build({ entryPoints: [entry], outfile, ...entryOptions(LEAST_NODE) })

async function writeAssets(project, release, { cache, env }) {
  const { headers: rules, basePath } = await readJson(path.join(project, '.next/routes-manifest.json'))
  const folder = path.join(release, 'assets')
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  const files = [
    ...(await filesOf(path.join(project, '.next/static'), `${basePath}/_next/static`)),
    ...(await filesOf(path.join(project, 'public'), basePath)),
  ]
  const assets = {}
  const waiting = files.values()
  const work = async () => {
    for (const { file, urlPath } of waiting) {
      const bodies = await compressAsset(await readFile(file), { folder, cache })
      assets[urlPath] = { headers: headersOfAsset(urlPath, { rules, basePath }), bodies }
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  const ahead = builtFilesOf(Object.keys(assets), { basePath, filesHash: env.NOD_FILES ?? '' })
  const workers = await bundleServiceWorkers(project, { env, files: ahead, basePath })
  for (const [urlPath, { bytes, headers }] of Object.entries(workers))
    assets[urlPath] = { headers, bodies: await compressAsset(bytes, { folder, cache }), isSettled: false }
  await writeFile(path.join(release, 'assets.json'), JSON.stringify(assets))
}

async function filesOf(folder, prefix) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => {
      const file = path.join(parentPath, name)
      return { file, urlPath: `${prefix}/${path.relative(folder, file).split(path.sep).join('/')}` }
    })
}
