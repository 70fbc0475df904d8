import { vendorKinds, vendors, type VendorKind } from '@/lib/shared/models/vendors'
import type { ListSetting, SecretSetting } from './setting'

type Vendors = typeof vendors
type VendorSettings = { readonly [K in VendorKind as Vendors[K]['keyEnv']]: SecretSetting } & {
  readonly [K in VendorKind as Vendors[K]['modelsEnv']]: ListSetting
}

/** The variables of every vendor with an API of its own: a new one needs no row. */
export const vendorSettings = Object.fromEntries(
  vendorKinds.flatMap((kind): readonly (readonly [string, SecretSetting | ListSetting])[] => {
    const { label, keyEnv, modelsEnv, models } = vendors[kind]
    const otherwise = models.map((name) => `\`${name}\``).join(', ')
    return [
      [keyEnv, { kind: 'secret', page: 'models', who: 'anyone', meaning: `API key for ${label}.` }],
      [
        modelsEnv,
        {
          kind: 'list',
          otherwise,
          page: 'models',
          who: 'anyone',
          meaning: `Models of ${label} to offer, separated by commas.`,
        },
      ],
    ]
  }),
) as unknown as VendorSettings
