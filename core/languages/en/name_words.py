"""Words by which names in capitals are told from other words in English. Pure."""

from ..language import NameWords

NAME_WORDS = NameWords(
    no_names=frozenset(
        """i monday tuesday wednesday thursday friday saturday sunday january february march
        april may june july august september october november december mon tue tues wed thu
        thur thurs fri sat sun last next god ok okay tv pm am lol omg wow btw asap mr mrs ms
        dr mom dad mum english""".split()
    ),
    openers=frozenset(
        """hey hi hello yeah yep yes yup no nope thanks thank bye oh ooh aw aww wow well sure
        absolutely definitely totally congrats congratulations happy merry remember go good
        great nice cool awesome amazing it's that's what's here's let's so and but also sorry
        dear cheers glad love then maybe perhaps exactly right true indeed meet tell ask see
        when how what where who why the a my our your his her their in on at to for from with
        is are was were do does did has have had""".split()
    ),
    joining=frozenset("of the de van von la le du".split()),
)
