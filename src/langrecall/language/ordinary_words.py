"""Words that are no names, however they are written."""

ORDINARY_WORDS = {
    *("a", "an", "the", "this", "that", "these", "those", "there", "here", "such", "some", "any", "all", "both"),
    *("each", "every", "many", "most", "much", "few", "several", "other", "another", "no", "not", "none", "one"),
    *("it", "its", "he", "she", "they", "we", "you", "his", "her", "hers", "him", "their", "them", "our", "your"),
    *("my", "me", "us", "who", "what", "when", "where", "which", "why", "how", "while", "and", "but", "or", "nor"),
    *("so", "yet", "if", "then", "than", "though", "although", "because", "since", "until", "as", "at", "by", "for"),
    *("from", "in", "into", "of", "off", "on", "onto", "out", "over", "to", "under", "up", "with", "without"),
    *("within", "about", "above", "across", "after", "against", "along", "among", "around", "before", "behind"),
    *("below", "beside", "between", "during", "despite", "like", "near", "through", "throughout", "is", "are", "was"),
    *("were", "be", "been", "being", "do", "does", "did", "has", "have", "had", "can", "could", "may", "might"),
    *("must", "shall", "should", "will", "would", "let", "now", "later", "earlier", "soon", "today", "tonight"),
    *("yesterday", "tomorrow", "recently", "currently", "previously", "finally", "also", "still", "just", "only"),
    *("even", "again", "once", "last", "next", "never", "always", "often", "sometimes", "usually", "maybe"),
    *("perhaps", "yes", "well", "please", "thanks", "hi", "hey", "people", "someone", "everyone", "friends"),
    *("family", "user", "assistant", "speaker", "person", "nothing", "something"),
}
"""Words that may open a sentence without being a name. Kept small: a name taken for a word would let a false claim pass."""
