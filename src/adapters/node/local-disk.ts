import { statfs } from 'node:fs/promises'

/** Magic numbers of file systems on which a call cannot stall for long, by platform. */
const local: Readonly<Partial<Record<NodeJS.Platform, ReadonlySet<number>>>> = {
  linux: new Set([
    0xef53, // ext2, ext3, ext4
    0x58465342, // xfs
    0x9123683e, // btrfs
    0x01021994, // tmpfs
    0x858458f6, // ramfs
    0x794c7630, // overlayfs
    0x2fc12fc1, // zfs
    0xf2f52010, // f2fs
  ]),
  darwin: new Set([
    0x1a, // APFS
    0x11, // HFS
  ]),
}

/** `false` for network file systems, FUSE and whatever else is not known to be a local disk. Never throws. */
export function isLocalDisk(type: number, platform: NodeJS.Platform): boolean {
  // Some systems give the number with its sign.
  return local[platform]?.has(type >>> 0) ?? false
}

/** `undefined` while there is nothing at the path. */
export async function isOnLocalDisk(path: string): Promise<boolean | undefined> {
  try {
    return isLocalDisk((await statfs(path)).type, process.platform)
  } catch {
    return undefined
  }
}
