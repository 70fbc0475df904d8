/** Smallest first is decided by the build, not here: an encoding that made a file larger is left out. */
export type AssetEncoding = 'identity' | 'br' | 'zstd' | 'gzip'

/** One way in which a file is sent. */
export interface AssetBody {
  readonly encoding: AssetEncoding
  /** Its name in the folder of the assets. */
  readonly file: string
  /** The file lies there packed by gzip and is unpacked while it is sent: hardly anyone asks for it as it is. */
  readonly isPacked?: true
  /** Of what is sent. */
  readonly bytes: number
  /** Strong, with its quotes: each encoding has its own, since their bytes differ. */
  readonly etag: string
}

/** A file that browsers are served as it is, under one path. */
export interface Asset {
  /** Content-Type, and what else is said of it, whatever is sent of it. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** The smallest first; `identity` is among them. */
  readonly bodies: readonly AssetBody[]
  /** What is said of it follows the settings of the server: nobody keeps it for good, whatever it was asked by. */
  readonly isSettled?: false
}

/** What the build leaves for the server: every file by its path, `/_next/static/…` and those of `public`. */
export type AssetManifest = Readonly<Record<string, Asset>>
