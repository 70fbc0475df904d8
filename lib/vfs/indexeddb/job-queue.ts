import type { FileStep, VersionedFiles } from '../versioned-files'
import type { VfsResult } from '../vfs-result'
import type { View } from '../vfs-on-store'

/** What one transaction takes at once: the others wait for the next. */
const maxJoined = 200

export interface ReadJob {
  readonly kind: 'read'
  run(view: View): Promise<unknown>
  done(value: unknown): void
  fail(reason: unknown): void
}

export interface ChangeJob {
  readonly kind: 'change'
  readonly steps: Promise<readonly FileStep[]>
  /** The steps, once they are there. */
  ready: readonly FileStep[] | null
  run(files: VersionedFiles, steps: readonly FileStep[]): VfsResult<unknown>
  done(value: unknown): void
  fail(reason: unknown): void
}

type Job = ReadJob | ChangeJob

export interface JobServer {
  readonly serveReads: (jobs: readonly ReadJob[]) => Promise<void>
  readonly serveChanges: (jobs: readonly ChangeJob[]) => Promise<void>
}

/** Jobs in the order in which they came; those of one kind that follow each other are served together. */
export function createJobQueue({ serveReads, serveChanges }: JobServer): (job: Job) => void {
  const queue: Job[] = []
  let running = false

  /** The jobs at the head of the queue that one transaction can serve. */
  function takeJobs(): readonly Job[] {
    const kind = queue[0]?.kind
    const end = queue.findIndex(
      (job, at) => at >= maxJoined || job.kind !== kind || (job.kind === 'change' && job.ready === null),
    )
    return queue.splice(0, end === -1 ? queue.length : Math.max(end, 1))
  }

  async function serve(): Promise<void> {
    running = true
    for (let first = queue[0]; first !== undefined; first = queue[0]) {
      if (first.kind === 'change') {
        try {
          first.ready = await first.steps
        } catch (thrown) {
          queue.shift()
          first.fail(thrown)
          continue
        }
      }
      const jobs = takeJobs()
      try {
        if (first.kind === 'read') await serveReads(jobs as readonly ReadJob[])
        else await serveChanges(jobs as readonly ChangeJob[])
      } catch (thrown) {
        for (const job of jobs) job.fail(thrown)
      }
    }
    running = false
  }

  return (job) => {
    queue.push(job)
    if (!running) void serve()
  }
}
