/** A limit for work that can't be interrupted, such as a question to a disk that does not answer. */

/**
 * @param ms how long it may take
 * @returns what the work gives, or what `late` gives or throws once the time is over; what comes later is dropped
 */
export function within<Result>(work: Promise<Result>, ms: number, late: () => Result): Promise<Result> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      try {
        resolve(late());
      } catch (error) {
        reject(error);
      }
    }, ms);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
