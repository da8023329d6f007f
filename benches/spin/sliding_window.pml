/* Go-back-N over two lossy FIFO links: the system of conformance-suite/bench/sliding-window, with the same state graph. Each
   action of the specification is one d_step, its guard first, the invariants asserted at its end. SPIN stores one state more,
   from before its first step, and counts that state as a transition, too: each of its two counts is greater by one. */
#ifndef NUMBERS
#define NUMBERS 4
#endif
#ifndef WINDOW
#define WINDOW 3
#endif
#ifndef ROOM
#define ROOM 3
#endif
#define ahead(a, b) ((a + NUMBERS - b) % NUMBERS)
#define CHECK assert(ahead(wanted, base) <= ahead(next, base)); \
              assert(wanted == base || got == data[(wanted + NUMBERS - 1) % NUMBERS])

byte base, next, wanted;
bit got, started;
bit data[NUMBERS];
chan frames = [ROOM] of { byte, bit };
chan acks = [ROOM] of { byte };

#define ACCEPT(b) :: d_step { ahead(next, base) < WINDOW -> data[next] = b; next = (next + 1) % NUMBERS; CHECK }
#define SEND(n) :: d_step { ahead(n, base) < ahead(next, base) && len(frames) < ROOM -> frames ! n, data[n]; CHECK }

active proctype Links()
{
  byte number;
  bit value;
  d_step { started = 1 }
  do
  ACCEPT(0)
  ACCEPT(1)
  SEND(0)
#if NUMBERS > 1
  SEND(1)
#endif
#if NUMBERS > 2
  SEND(2)
#endif
#if NUMBERS > 3
  SEND(3)
#endif
#if NUMBERS > 4
#error "a SEND for each number"
#endif
  :: d_step { len(frames) > 0 && len(acks) < ROOM ->
       frames ? number, value;
       if
       :: number == wanted -> wanted = (wanted + 1) % NUMBERS; got = value
       :: else
       fi;
       acks ! wanted;
       number = 0; value = 0; CHECK }
  :: d_step { len(acks) > 0 ->
       acks ? number;
       if
       :: ahead(number, base) <= ahead(next, base) -> base = number
       :: else
       fi;
       number = 0; CHECK }
  :: d_step { len(frames) > 0 -> frames ? _, _; CHECK }
  :: d_step { len(acks) > 0 -> acks ? _; CHECK }
  od
}
