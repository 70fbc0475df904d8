import { execFile } from 'node:child_process'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { hostFiles, nodeCheck, releaseEntries } from './release/contents.mjs'
import { settingsTable } from '@/lib/server/settings/settings-table'

/* The hosting files name settings, paths and times of the sources, and must agree with them. */

const read = (file: string) => readFileSync(file, 'utf8')
const files = ['Dockerfile', 'compose.yaml', ...readdirSync('deploy').map((name) => path.join('deploy', name))]
const table: Readonly<Record<string, { readonly kind: string; readonly secret?: true }>> = settingsTable
const graceMs = settingsTable.NOD_SHUTDOWN_GRACE_MS.default

interface Service {
  readonly environment?: Readonly<Record<string, string>>
  readonly read_only?: boolean
  readonly cap_drop?: readonly string[]
  readonly stop_grace_period?: string
  readonly secrets?: readonly string[]
  readonly build?: string
  readonly volumes?: readonly string[]
}
interface Compose {
  readonly services: Readonly<Record<string, Service>>
  readonly secrets: Readonly<Record<string, { readonly file: string }>>
  readonly volumes: Readonly<Record<string, unknown>>
}
const composes = ['compose.yaml', 'deploy/compose.two-nodes.yaml'].map(
  (file) => [file, parse(read(file), { merge: true }) as Compose] as const,
)
const nodesOf = ({ services }: Compose) =>
  Object.entries(services).filter(([, { environment }]) => environment?.['NOD_SECRET_FILE'] !== undefined)

describe.each(files)('%s', (file) => {
  it('sets only variables that the server knows, and secrets only by files', () => {
    // Variables between the proxy and its compose file are not the server's.
    const own = new Set(['NOD_DOMAIN', 'NOD_NODES'])
    const named = [...read(file).matchAll(/\b(?:NOD_[A-Z_]+|DATABASE_URL(?:_FILE)?)\b/g)].map(([name]) => name)
    for (const name of new Set(named)) {
      if (own.has(name)) continue
      const secret = /^(.+)_FILE$/.exec(name)?.[1]
      if (secret === undefined) expect(Object.keys(table), `${file} names ${name}`).toContain(name)
      else expect(table[secret]?.kind === 'secret' || table[secret]?.secret, `${file} names ${name}`).toBe(true)
    }
  })

  it('requests existing routes', () => {
    for (const [, route] of read(file).matchAll(/(\/api\/[a-z]+)/g)) {
      expect(existsSync(`app${route}/route.ts`), `${file} asks for ${route}`).toBe(true)
    }
  })
})

describe.each(composes)('%s', (file, compose) => {
  it('runs nodes that can write only their data, and gives replies their grace period', () => {
    expect(nodesOf(compose).length).toBeGreaterThan(0)
    for (const [, service] of nodesOf(compose)) {
      expect(service).toMatchObject({ read_only: true, cap_drop: ['ALL'] })
      expect(Number.parseInt(service.stop_grace_period ?? '', 10) * 1000).toBeGreaterThan(graceMs + 5_000)
    }
  })

  it('has every secret that a service needs, in a folder that no image and no commit includes', () => {
    for (const { secrets = [] } of Object.values(compose.services)) {
      for (const name of secrets) expect(Object.keys(compose.secrets)).toContain(name)
    }
    for (const secret of Object.values(compose.secrets)) {
      expect(path.relative('.', path.join(path.dirname(file), secret.file))).toMatch(/^secrets\//)
    }
    expect(read('.dockerignore').split('\n')).toContain('secrets')
    expect(read('.gitignore').split('\n')).toContain('/secrets/')
  })
})

describe('what all of them name', () => {
  /** The release's folders on a host: in the unit, and in the image. */
  const inRelease = /\/(?:opt\/nod|app)\/([\w./-]*\w)/g
  const brought = new Set([...Object.keys(releaseEntries), ...hostFiles])

  it.each(files)('in the release exists there: %s', (file) => {
    const named = [...read(file).matchAll(inRelease)].map(([, name = '']) => name)
    expect(named.filter((name) => !brought.has(name))).toEqual([])
    if (/nod\.service|Dockerfile/.test(file)) expect(named).toContain('serve.cjs')
  })

  it('from the release exists in the repository, as it is copied', () => {
    expect([...hostFiles, ...Object.values(releaseEntries)].filter((name) => !existsSync(name))).toEqual([])
  })

  it.each(composes)('beside it exists there: %s', (file, { services, volumes }) => {
    for (const { build, volumes: mounts = [] } of Object.values(services)) {
      if (build !== undefined) expect(existsSync(path.join(path.dirname(file), build, 'Dockerfile'))).toBe(true)
      for (const mount of mounts) {
        const [source = ''] = mount.split(':')
        if (source.startsWith('.')) expect(existsSync(path.join(path.dirname(file), source))).toBe(true)
        else expect(Object.keys(volumes)).toContain(source)
      }
    }
  })

  it.each(files)('of images has a version and is never the latest one: %s', (file) => {
    const stages = new Set([...read(file).matchAll(/^FROM \S+ AS (\w+)$/gm)].map(([, name]) => name))
    const images = [...read(file).matchAll(/^(?:FROM|\s*image:) (\S+)/gm)]
      .map(([, image = '']) => image)
      // `nod` is built beside it.
      .filter((image) => image !== 'nod' && !stages.has(image))
    for (const image of images) expect(image).toMatch(/:(?!latest)[\w.-]+$/)
  })

  it('of Nod is this version', () => {
    const { version } = JSON.parse(read('package.json')) as { readonly version: string }
    expect(read('deploy/kubernetes.yaml')).toContain(`/nod:${version}\n`)
  })
})

describe('a release', () => {
  it('names the required Node to one that is too old, and runs with a newer one', async () => {
    // The repository has its own Node; a release runs with its host's.
    const { devDependencies } = JSON.parse(read('package.json')) as {
      readonly devDependencies: { readonly node: string }
    }
    const least = Number(/\d+/.exec(devDependencies.node)?.[0])
    expect(read('scripts/release/assemble.mjs')).toContain(`const LEAST_NODE = ${least}\n`)
    const runBy = (version: string) =>
      new Promise<readonly [unknown, string]>((resolve) => {
        const old = `Object.defineProperty(process.versions, 'node', { value: '${version}' });`
        execFile(process.execPath, ['-e', `${old}${nodeCheck(least)}console.error('runs')`], (error, _out, said) =>
          resolve([error?.code ?? 0, said.trim()]),
        )
      })
    const sentence = `[nod] This needs Node ${least} or newer, and is run by Node ${least - 1}.9.0.`
    expect(await runBy(`${least - 1}.9.0`)).toEqual([2, sentence])
    expect(await runBy(`${least}.0.0`)).toEqual([0, 'runs'])
  })
})

describe('the image', () => {
  const dockerfile = read('Dockerfile')
  const lines = dockerfile.replaceAll('\\\n', ' ').split('\n')
  const told = (instruction: string) => lines.filter((line) => line.startsWith(`${instruction} `))

  it('follows the rules for images: no secret, nothing downloaded, no shell, a health check', () => {
    expect(told('ADD')).toEqual([])
    expect(lines.filter((line) => /\b(?:curl|wget|sudo|apt-get|chmod 777)\b/.test(line))).toEqual([])
    expect([...told('ARG'), ...told('ENV')].filter((line) => /SECRET|TOKEN|PASSWORD|_KEY/.test(line))).toEqual([])
    expect(told('HEALTHCHECK').map((line) => /CMD \["/.test(line))).toEqual([true])
    expect(told('CMD').map((line) => line.startsWith('CMD ["'))).toEqual([true])
    expect(told('STOPSIGNAL')).toEqual(['STOPSIGNAL SIGTERM'])
    expect(told('WORKDIR').every((line) => line.split(' ')[1]?.startsWith('/'))).toBe(true)
  })

  it('owns nothing but its data, as the user that it runs as', () => {
    const [, user = ''] = /^USER (\S+)$/m.exec(dockerfile) ?? []
    const [last = ''] = dockerfile.split(/^FROM /m).slice(-1)
    const copies = last.split('\n').filter((line) => line.startsWith('COPY '))
    const owned = copies.filter((line) => line.includes('--chown'))
    expect(owned.map((line) => line.split(' ').at(-1))).toEqual(['/data'])
    expect(owned[0]).toContain(`--chown=${user} `)
    expect(last.lastIndexOf('USER ')).toBeGreaterThan(last.lastIndexOf('COPY '))
  })

  it('runs as an unprivileged user, by its number', () => {
    expect(dockerfile).toMatch(/^USER \d{4,}:\d{4,}$/m)
  })

  it('is built from everything that the build reads', () => {
    const ignored = read('.dockerignore')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
    const inputs = [...read('scripts/setup/build.mjs').matchAll(/^ {2}'([^']+)',$/gm)].map(([, name]) => name ?? '')
    expect(inputs).toContain('app')
    for (const input of [...inputs, ...hostFiles]) {
      expect(ignored.filter((name) => input === name || input.startsWith(`${name}/`))).toEqual([])
    }
    // Generated files are made again by the build.
    const made = read('.gitignore')
      .split('\n')
      .filter((line) => line.startsWith('public/'))
      .map((line) => line.replace(/\/$/, ''))
    expect(ignored).toEqual(expect.arrayContaining(made))
  })

  it('knows its build path at run time, too', () => {
    const [, ...stages] = dockerfile.split(/^FROM /m)
    expect(stages.map((stage) => /^ARG NOD_BASE_PATH=$/m.test(stage))).toEqual(stages.map(() => true))
    expect(stages.at(-1)).toContain('ENV NOD_BASE_PATH=$NOD_BASE_PATH\n')
  })

  it.each([
    ['', 200, 0],
    ['', 503, 1],
    ['/nod', 200, 0],
    ['/nod/', 200, 0],
    ['/nod', 503, 1],
  ])('under “%s” is healthy when the server answers so: %d', async (NOD_BASE_PATH, status, code) => {
    const check = /HEALTHCHECK[^[]*(\[.*\])$/m.exec(dockerfile.replaceAll('\\\n', ' '))?.[1]
    const script = (JSON.parse(check ?? '[]') as string[])[2] ?? ''
    const server = createServer(({ url }, response) => {
      response.writeHead(url === `${NOD_BASE_PATH.replace(/\/$/, '')}/api/health` ? status : 404).end()
    }).listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    const PORT = String((server.address() as AddressInfo).port)
    const ended = await new Promise((resolve) => {
      execFile(process.execPath, ['-e', script], { env: { ...process.env, PORT, NOD_BASE_PATH } }, (error) =>
        resolve(error?.code ?? 0),
      )
    })
    server.close()
    expect(ended).toBe(code)
  })
})

describe('the pods', () => {
  const documents = parseAllDocuments(read('deploy/kubernetes.yaml')).map((one) => one.toJS() as { kind: string })

  it('can write only their data, as an unprivileged user, and give replies their grace period', () => {
    const deployment = documents.find(({ kind }) => kind === 'Deployment') as unknown as {
      spec: { template: { spec: { terminationGracePeriodSeconds: number; containers: readonly unknown[] } } }
    }
    const { spec } = deployment.spec.template
    expect(spec.terminationGracePeriodSeconds * 1000).toBeGreaterThan(graceMs + 5_000)
    expect(spec).toMatchObject({ automountServiceAccountToken: false, securityContext: { runAsNonRoot: true } })
    expect(spec.containers).toEqual([
      expect.objectContaining({
        securityContext: {
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        },
      }),
    ])
  })
})

describe('the service', () => {
  it('gives replies their grace period, and is not restarted on a wrong setting', () => {
    const unit = read('deploy/nod.service')
    expect(Number(/^TimeoutStopSec=(\d+)s$/m.exec(unit)?.[1]) * 1000).toBeGreaterThan(graceMs + 5_000)
    expect(unit).toMatch(/^RestartPreventExitStatus=2$/m)
  })
})
