import { describe, expect, it, jest } from '@jest/globals';
import { whenAborted } from './when-aborted.ts';

describe('who waits for a signal', () => {
  it('is called once when it is aborted, at once when it was', () => {
    const controller = new AbortController();
    const callback = jest.fn();
    whenAborted(controller.signal, callback);
    controller.abort();
    controller.abort();
    expect(callback).toHaveBeenCalledTimes(1);
    whenAborted(controller.signal, callback);
    expect(callback).toHaveBeenCalledTimes(2);
  });

  it('is not called after taking it back, and takes back only its own wait', () => {
    const controller = new AbortController();
    const callback = jest.fn();
    const takeBack = whenAborted(controller.signal, callback);
    whenAborted(controller.signal, callback);
    takeBack();
    takeBack();
    controller.abort();
    expect(callback).toHaveBeenCalledTimes(1);
  });

  it('may be one of a hundred, and the signal has one listener', () => {
    const controller = new AbortController();
    const listen = jest.spyOn(controller.signal, 'addEventListener');
    const callback = jest.fn();
    for (let at = 0; at < 100; at += 1) whenAborted(controller.signal, callback);
    expect(listen).toHaveBeenCalledTimes(1);
    controller.abort();
    expect(callback).toHaveBeenCalledTimes(100);
  });
});
