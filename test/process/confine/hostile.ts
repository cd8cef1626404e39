/** Parts that hostile scripts are made of; `$OUT` is a folder outside. */
const PARTS = [
  'echo x > $OUT/f',
  'rm -rf $OUT/keep $HOME/keep',
  'ln -sf $OUT/keep l; echo x > l',
  'mv $OUT/keep $OUT/gone',
  'chmod 777 $OUT/keep',
  'mkdir -p d; mv ../work ../w2',
  'git init -q .; git config core.fsmonitor "touch $OUT/g"; git status',
  'cp /bin/sh s; chmod u+s s; ./s -c "echo x > $OUT/s"',
  '(setsid env -i sh -c "sleep 5; echo late > $OUT/late" &)',
  'mount -o remount,bind,rw / ; echo x > $OUT/m',
  'unshare -Urm sh -c "mount --bind / /mnt; echo x > $OUT/u"',
  'echo x > /proc/1/root$OUT/p',
  'umount -l $OUT; umount -l /; echo x > $OUT/v',
  'tar cf - . | (cd $OUT && tar xf -)',
  'touch $HOME/.bashrc $HOME/.config/x; echo "* * * * * x" | crontab -',
  'mknod b b 8 0; dd if=/dev/zero of=b bs=1 count=1',
  'kill -9 -1',
  'echo core > /proc/sys/kernel/core_pattern',
  'cd /; echo x > $OUT/../x; cd -',
] as const;

/** @returns scripts of one to five parts, the same for the same seed */
export function hostileScripts(count: number, seed: number): string[] {
  let state = seed;
  const next = (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  return Array.from({ length: count }, () => {
    const parts = Array.from({ length: 1 + next(5) }, () => PARTS[next(PARTS.length)]);
    return `${parts.join('; ')}; true`;
  });
}
