"""The English sample on which embedders are calibrated. Pure."""

from ..language import Sample

SAMPLE = Sample(
    pairs=(
        ("My dog chewed up my shoes again", "The user has a two-year-old labrador that bites"),
        ("What should I cook tonight?", "Ann loves light dinners, tomato noodles most of all"),
        ("I have an interview next week", "Ben is looking for a job at a design studio"),
        ("How old is my daughter?", "The user's daughter is six and in kindergarten"),
        ("My knee hurts again", "Tom hurt his right knee while running last year"),
        ("What could I get my mother?", "The user's mother grows roses; her birthday is in May"),
        ("Any films for the weekend?", "I like science fiction and never watch horror"),
        ("I took up the guitar again", "Mia played the guitar for three years as a child"),
        ("They raised the rent", "The user shares a flat in the east of the town"),
        ("I failed the exam", "Sam studies physics and struggles with mathematics"),
        ("I had a row with my boyfriend", "Kate's boyfriend lives abroad; they argue about visits"),
        ("Where should we travel?", "The user has always wanted to see the mountains of Nepal"),
        ("Too much coffee, I can't sleep", "Leo is sensitive to caffeine after noon"),
        ("When did Emma start painting?", "Emma: I began to paint landscapes two summers ago"),
        ("What did Paul buy his wife?", "Paul: I found a silver necklace for Nora in the market"),
        ("We shipped it at last!", "The user's team has built a payment system for months"),
    ),
    variants=(
        ("The user owns a labrador, two years old, that bites", "The user walks the dog at six"),
        ("Ann likes to eat light in the evening, best of all tomato noodles", "Ann burnt dinner"),
        ("Ben wants to be hired by a design studio", "Ben once had a design studio of his own"),
        ("The user has a daughter of six, who goes to kindergarten", "The user's daughter draws"),
        ("Last year Tom injured his right knee on a run", "Tom bought new running shoes"),
        ("The user's mum was born in May and grows roses", "The user's mother moved house"),
        ("I enjoy science fiction, horror films I never watch", "I saw a long film on Sunday"),
        ("As a child Mia had three years of guitar lessons", "Mia's guitar has a broken string"),
        ("The user lives with a flatmate in the eastern part of town", "The user's flat is noisy"),
        ("Sam is a physics student who finds mathematics hard", "Sam has a physics exam on Monday"),
        ("Kate and her boyfriend abroad quarrel about visits", "Kate's boyfriend cooks well"),
        ("The user has dreamt of Nepal's mountains for ever", "The user sold the climbing boots"),
        ("After noon Leo does not tolerate caffeine", "Leo works in a coffee shop"),
        ("Emma says that she took up landscape painting two summers ago", "Emma sold a painting"),
    ),
)
